#include "formats/intake.h"

#include <algorithm>

#include "formats/gguf_architecture.h"

namespace vramscope::formats {
namespace {

constexpr std::size_t telling_bytes = 9; // a safetensors file's ninth is '{'

std::span<const unsigned char> octets(const std::string& text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

bool has_end(std::string_view name, std::string_view end) {
    return name.ends_with(end);
}

} // namespace

Intake::Intake(const StorageTypeTable& types, std::string name, std::uint64_t file_bytes)
    : types_(types), name_(std::move(name)), file_bytes_(file_bytes) {}

ReadState Intake::state() const {
    if (gguf_)
        return gguf_->state();
    if (safetensors_)
        return safetensors_->state();
    return state_;
}

ByteRequest Intake::wanted() const {
    if (gguf_)
        return gguf_->wanted();
    if (safetensors_)
        return safetensors_->wanted();
    if (state_ != ReadState::wants_bytes)
        return {};
    const std::uint64_t have = text_.size();
    if (kind_ == Kind::unknown)
        return {have, telling_bytes - text_.size()};
    const std::uint64_t rest = file_bytes_ == unknown_size ? 1 : file_bytes_ - have;
    return {have, static_cast<std::size_t>(std::min<std::uint64_t>(rest, longest_json))};
}

ReadState Intake::feed(std::span<const unsigned char> bytes) {
    if (gguf_)
        return gguf_->feed(bytes);
    if (safetensors_)
        return safetensors_->feed(bytes);
    if (state_ != ReadState::wants_bytes)
        return state_;
    text_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (kind_ == Kind::unknown && text_.size() >= telling_bytes)
        decide();
    if (kind_ == Kind::json && state_ == ReadState::wants_bytes) {
        if (text_.size() > longest_json) {
            fail("is no weight file we know, and too long for a config", "unknown-file");
        } else if (file_bytes_ != unknown_size && text_.size() >= file_bytes_) {
            state_ = ReadState::done;
        }
    }
    return state();
}

void Intake::decide() {
    if (text_.starts_with("GGUF") || has_end(name_, ".gguf")) {
        kind_ = Kind::gguf;
        gguf_.emplace(types_, name_, file_bytes_);
        gguf_->feed(octets(text_));
    } else if (has_end(name_, ".safetensors") ||
               (text_[8] == '{' && text_[0] != '{' && text_[0] != ' ')) {
        kind_ = Kind::safetensors;
        safetensors_.emplace(name_, file_bytes_);
        safetensors_->feed(octets(text_));
    } else {
        kind_ = Kind::json;
        if (file_bytes_ != unknown_size && file_bytes_ > longest_json)
            fail("is no weight file we know, and too long for a config", "unknown-file");
        return;
    }
    std::string().swap(text_);
}

ReadState Intake::finish() {
    if (kind_ == Kind::unknown && !text_.empty()) {
        // Shorter than what tells: the readers say what is missing, a JSON file may be that short.
        text_.resize(telling_bytes, ' ');
        const std::string padded = text_;
        if (padded.starts_with("GGUF") || has_end(name_, ".gguf") ||
            has_end(name_, ".safetensors")) {
            const std::size_t length = padded.find_last_not_of(' ') + 1;
            text_.resize(length);
            if (has_end(name_, ".safetensors")) {
                safetensors_.emplace(name_, file_bytes_);
                safetensors_->feed(octets(text_));
            } else {
                gguf_.emplace(types_, name_, file_bytes_);
                gguf_->feed(octets(text_));
            }
        } else {
            kind_ = Kind::json;
        }
    }
    if (gguf_)
        return gguf_->finish();
    if (safetensors_)
        return safetensors_->finish();
    if (state_ != ReadState::wants_bytes)
        return state_;
    if (kind_ == Kind::unknown)
        fail("is empty", "empty-file");
    else
        state_ = ReadState::done;
    return state_;
}

const catalog::Error& Intake::error() const {
    if (gguf_)
        return gguf_->error();
    if (safetensors_)
        return safetensors_->error();
    return error_;
}

catalog::Result<FileKind> Intake::give_to(Inspector& inspector) {
    if (gguf_) {
        const GgufKind kind = kind_of(gguf_->header());
        inspector.add(gguf_->take_header(), name_, file_bytes_);
        return kind == GgufKind::projector ? FileKind::gguf_projector
               : kind == GgufKind::adapter ? FileKind::gguf_adapter
               : kind == GgufKind::model   ? FileKind::gguf_model
                                           : FileKind::gguf_other;
    }
    if (safetensors_) {
        inspector.add(safetensors_->take_header(), name_, file_bytes_);
        return FileKind::safetensors;
    }
    return inspector.add_json(text_, name_);
}

void Intake::fail(const std::string& message, std::string_view code) {
    state_ = ReadState::failed;
    error_ = {std::string(code), name_, name_ + " " + message};
}

} // namespace vramscope::formats
