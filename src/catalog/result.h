// A value or an error; readers never throw and never crash, whatever bytes they are given.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace vramscope::catalog {

/// What is wrong, where, in words that say what to do. `code` is stable and machine-readable
/// ("unknown-model"); `where` is a file, entry, field or request key.
struct Error {
    std::string code;
    std::string where;
    std::string message;
};

template <typename Value>
class [[nodiscard]] Result {
public:
    Result(Value value) : value_(std::move(value)) {}
    Result(Error error) : error_(std::move(error)) {}

    explicit operator bool() const { return value_.has_value(); }
    const Value& operator*() const { return *value_; }
    Value& operator*() { return *value_; }
    const Value* operator->() const { return &*value_; }
    Value* operator->() { return &*value_; }
    const Error& error() const { return error_; }

private:
    std::optional<Value> value_;
    Error error_;
};

} // namespace vramscope::catalog
