// Reading JSON without trust: any bytes in, values or faults out, never a throw or a crash.
//
// A JsonReader is a place in a document: a value and the path that leads to it. Its field()
// functions take what is there, or leave the variable alone and note a fault that names the place
// and says what was expected and what was found. Readers go on after a fault, so that one run shows
// all of them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "catalog/result.h"

namespace vramscope::catalog {

/// Objects are sorted by key, so that looking up and reading stay fast however many keys a file
/// has.
using Json = nlohmann::json;

/// Parses a whole document. The error says line and column and what was wrong there; keys that
/// occur twice in an object, and nesting deeper than 64 levels, are errors too. `where` names the
/// document.
Result<Json> parse_json(std::string_view text, std::string_view where);

/// Faults found so far; at most `limit` are kept, so that garbage does not fill the memory.
struct JsonFaults {
    static constexpr std::size_t limit = 1000;
    std::vector<Error> errors;

    void add(std::string_view code, std::string where, std::string message);
    bool empty() const { return errors.empty(); }
};

enum class Need : std::uint8_t { optional, required };

/// "a number", "\"x\"", "a list" …: a value as a message shows it, cut when long.
std::string describe(const Json& value);

/// The known name that a misspelt one was probably meant to be, or "".
std::string_view closest_name(std::string_view text, std::span<const std::string_view> known);

class JsonReader {
public:
    /// The root of a document; `name` starts every path ("models/glm.json").
    JsonReader(const Json& value, std::string_view name, JsonFaults& faults)
        : value_(&value), name_(name), faults_(&faults) {}

    const Json& value() const { return *value_; }
    JsonFaults& faults() const { return *faults_; }
    bool is_object() const { return value_->is_object(); }
    bool is_array() const { return value_->is_array(); }
    bool is_string() const { return value_->is_string(); }
    bool has(std::string_view key) const { return member(key) != nullptr; }

    /// "models/glm.json: models[glm-4-9b-0414].architecture.n_embd"
    std::string path() const;

    /// Notes a fault at this place, or at one of its fields.
    void fault(std::string_view message, std::string_view code = "invalid-value") const;
    void field_fault(std::string_view key, std::string_view message,
                     std::string_view code = "invalid-value") const;

    /// Each takes the field into `out` and says whether it did. A missing optional field is no
    /// fault.
    bool field(std::string_view key, std::string& out, Need need = Need::optional) const;
    bool field(std::string_view key, bool& out, Need need = Need::optional) const;
    bool field(std::string_view key, double& out, double minimum, double maximum,
               Need need = Need::optional) const;
    bool field(std::string_view key, std::vector<std::string>& out,
               Need need = Need::optional) const;
    /// Whole numbers of any width. 2.0 and 1e9 count as whole, 2.5 does not.
    template <typename Integer>
    requires(std::is_integral_v<Integer> &&
             !std::is_same_v<Integer, bool>) bool field(std::string_view key, Integer& out,
                                                        std::int64_t minimum, std::int64_t maximum,
                                                        Need need = Need::optional) const {
        std::int64_t number = 0;
        if (!whole_number(key, number, minimum, maximum, need))
            return false;
        out = static_cast<Integer>(number);
        return true;
    }
    /// One of the names; `out` becomes its position as an enumerator.
    template <typename Enum>
    requires std::is_enum_v<Enum>
    bool field(std::string_view key, Enum& out, std::initializer_list<std::string_view> names,
               Need need = Need::optional) const {
        std::size_t index = 0;
        if (!choice(key, index, names, need))
            return false;
        out = static_cast<Enum>(index);
        return true;
    }

    /// A field that is an object or a list; nothing when it is missing or something else.
    std::optional<JsonReader> object(std::string_view key, Need need = Need::optional) const;
    std::optional<JsonReader> array(std::string_view key, Need need = Need::optional) const;
    /// A field of any kind; nothing when it is missing.
    std::optional<JsonReader> child(std::string_view key, Need need = Need::optional) const;

    /// visit(JsonReader element) for the elements of this list.
    template <typename Visit>
    void for_each_element(Visit visit) const {
        if (!is_array())
            return;
        std::size_t index = 0;
        for (const Json& element : *value_)
            visit(JsonReader(element, *this, index++));
    }
    /// visit(const std::string& key, JsonReader value) for the fields of this object.
    template <typename Visit>
    void for_each_member(Visit visit) const {
        if (!is_object())
            return;
        for (auto it = value_->begin(); it != value_->end(); ++it) {
            visit(it.key(), JsonReader(it.value(), *this, it.key()));
        }
    }

    /// Faults for all fields that are not named here, with the name that was probably meant.
    void no_other_fields(std::initializer_list<std::string_view> known) const;

private:
    JsonReader(const Json& value, const JsonReader& parent, std::string_view key)
        : value_(&value), parent_(&parent), name_(key), faults_(parent.faults_) {}
    JsonReader(const Json& value, const JsonReader& parent, std::size_t index)
        : value_(&value), parent_(&parent), index_(index), faults_(parent.faults_) {}

    const Json* member(std::string_view key) const;
    const Json* needed_member(std::string_view key, Need need) const;
    bool whole_number(std::string_view key, std::int64_t& out, std::int64_t minimum,
                      std::int64_t maximum, Need need) const;
    bool choice(std::string_view key, std::size_t& out,
                std::initializer_list<std::string_view> names, Need need) const;

    // A reader lives no longer than its parent and its document.
    const Json* value_;
    const JsonReader* parent_ = nullptr;
    std::string_view name_;
    std::size_t index_ = 0;
    JsonFaults* faults_;
};

} // namespace vramscope::catalog
