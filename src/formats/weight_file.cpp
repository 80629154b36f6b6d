#include "formats/weight_file.h"

namespace vramscope::formats {

Bytes tensor_bytes(const std::vector<FileTensor>& tensors) {
    Bytes sum = 0;
    for (const FileTensor& tensor : tensors)
        sum = add(sum, tensor.bytes);
    return sum;
}

std::int64_t tensor_elements(const std::vector<FileTensor>& tensors) {
    std::int64_t sum = 0;
    for (const FileTensor& tensor : tensors)
        sum = add(sum, tensor.elements());
    return sum;
}

std::string shown(std::string_view text, std::size_t most) {
    std::string clean(text.substr(0, most));
    for (char& c : clean) {
        if (c < ' ' || c > '~')
            c = '?';
    }
    if (text.size() > most)
        clean += "...";
    return clean;
}

} // namespace vramscope::formats
