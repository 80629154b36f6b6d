#include "cli/remote_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "core/ascii.h"

extern char** environ;

namespace vramscope::cli {

using catalog::Error;
using catalog::Result;

namespace {

/// A host that ignores ranges is not read any further than this.
constexpr std::size_t longest_beginning = std::size_t{256} << 20U;
constexpr std::size_t longest_text = std::size_t{64} << 20U;

std::string host_of(std::string_view url) {
    url.remove_prefix(std::min(url.find("://") + 3, url.size()));
    return std::string(url.substr(0, url.find_first_of("/?#")));
}

struct Answer {
    int status = 0; ///< of HTTP, the last one when there were redirects
    std::optional<std::uint64_t> total;
    std::optional<std::uint64_t> length;
    bool is_page = false;
    std::string body;
    bool stopped = false; ///< enough came, so the rest was left
};

/// The headers of the last answer; each starts with its status line.
void read_headers(std::string_view text, Answer& answer) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.remove_suffix(1);
        if (line.starts_with("HTTP/")) {
            answer.total = answer.length = std::nullopt;
            answer.is_page = false;
            const std::size_t space = line.find(' ');
            answer.status = space == std::string_view::npos
                                ? 0
                                : std::atoi(std::string(line.substr(space + 1)).c_str());
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            continue;
        const std::string key = ascii::lowered(line.substr(0, colon));
        const std::string value(
            line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size())));
        if (key == "content-range") {
            const std::size_t slash = value.rfind('/');
            if (slash != std::string::npos &&
                value.find_first_not_of("0123456789", slash + 1) == std::string::npos)
                answer.total = std::strtoull(value.c_str() + slash + 1, nullptr, 10);
        } else if (key == "content-length") {
            answer.length = std::strtoull(value.c_str(), nullptr, 10);
        } else if (key == "content-type") {
            answer.is_page = value.starts_with("text/html");
        }
    }
}

class Pipe {
public:
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
            read_ = ends[0];
            write_ = ends[1];
        }
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close_end(read_);
        close_end(write_);
    }
    int reading() const { return read_; }
    int writing() const { return write_; }
    void close_writing() { close_end(write_); }
    void close_reading() { close_end(read_); }

private:
    static void close_end(int& end) {
        if (end >= 0)
            ::close(end);
        end = -1;
    }
    int read_ = -1;
    int write_ = -1;
};

Error curl_error(int code, const std::string& url) {
    const std::string host = host_of(url);
    switch (code) {
    case 5:
    case 6:
        return {"no-host", "link", "there is no host " + host + ", or this machine is offline"};
    case 18:
        return {"truncated", "link", host + " stopped in the middle of its answer"};
    case 28:
        return {"slow", "link", host + " has sent nothing for 30 seconds"};
    case 35:
    case 60:
        return {"no-connection", "link", "the connection to " + host + " is not secure"};
    case 47:
        return {"refused", "link", host + " passes the request on without end"};
    case 127:
        return {"no-curl", "link",
                "links are read with curl, which is not installed here; install it, or download "
                "the file and name it instead"};
    default:
        return {"no-connection", "link",
                host + " cannot be reached (curl's code " + std::to_string(code) + ")"};
    }
}

std::optional<Error> status_error(const Answer& answer, const std::string& url) {
    const std::string host = host_of(url);
    const std::string code = " (HTTP " + std::to_string(answer.status) + ")";
    if (answer.status == 401 || answer.status == 403) {
        return Error{"gated", "link",
                     host + " wants a sign-in, or that you accept the model's terms there" + code +
                         "; download the file yourself and name it instead"};
    }
    if (answer.status == 404 || answer.status == 410) {
        return Error{"missing", "link",
                     host + " has nothing of that name" + code + ": " + url.substr(0, 200)};
    }
    if (answer.status == 429)
        return Error{"busy", "link", host + " is asked too often at the moment" + code};
    if (answer.status >= 500)
        return Error{"server-fault", "link", host + " has a fault of its own" + code};
    if (answer.status != 200 && answer.status != 206 && answer.status != 416)
        return Error{"refused", "link", host + " refused the request" + code};
    return std::nullopt;
}

/// Runs curl and takes at most `most` bytes of the body.
Result<Answer> run_curl(const std::string& url, const std::vector<std::string>& more,
                        std::size_t most) {
    Pipe body;
    Pipe headers;
    if (body.writing() < 0 || headers.writing() < 0)
        return Error{"no-connection", "link", "cannot start curl: no pipe is left"};
    std::vector<std::string> words = {
        "curl",        "--silent",          "--location",  "--max-redirs",
        "5",           "--proto",           "=http,https", "--proto-redir",
        "=http,https", "--connect-timeout", "20",          "--speed-limit",
        "1",           "--speed-time",      "30",          "--dump-header",
        "/dev/fd/3",   "--user-agent",      "vramscope"};
    words.insert(words.end(), more.begin(), more.end());
    words.push_back("--url");
    words.push_back(url);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, body.writing(), 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, headers.writing(), 3);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, "curl", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        return curl_error(failed == ENOENT ? 127 : failed, url);
    body.close_writing();
    headers.close_writing();

    Answer answer;
    std::string header_text;
    std::vector<char> piece(std::size_t{64} << 10U);
    std::array<pollfd, 2> waits = {pollfd{body.reading(), POLLIN, 0},
                                   pollfd{headers.reading(), POLLIN, 0}};
    while (waits[0].fd >= 0 || waits[1].fd >= 0) {
        if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
            break;
        for (std::size_t i = 0; i < waits.size(); ++i) {
            if (waits[i].fd < 0 || waits[i].revents == 0)
                continue;
            const ssize_t got = ::read(waits[i].fd, piece.data(), piece.size());
            if (got <= 0) {
                waits[i].fd = -1;
                continue;
            }
            const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
            if (i == 1 && header_text.size() < (std::size_t{1} << 20U))
                header_text += bytes;
            if (i == 0)
                answer.body += bytes.substr(0, std::min(bytes.size(), most - answer.body.size()));
        }
        if (answer.body.size() >= most && waits[0].fd >= 0) {
            // A body of just that length ends by itself; anything longer is not wanted.
            answer.stopped = true;
            ::kill(child, SIGTERM);
            waits[0].fd = -1;
        }
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    read_headers(header_text, answer);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (code != 0 && !answer.stopped)
        return curl_error(code, url);
    if (const auto error = status_error(answer, url))
        return *error;
    return answer;
}

} // namespace

Result<std::string> remote_text(const std::string& url, const std::string& accept) {
    std::vector<std::string> more;
    if (!accept.empty())
        more = {"--header", "Accept: " + accept};
    Result<Answer> answer = run_curl(url, more, longest_text);
    if (!answer)
        return answer.error();
    return std::move(answer->body);
}

Result<std::string> RemoteReader::read(std::uint64_t offset, std::size_t length) {
    if (!whole_file_) {
        Result<Answer> answer = run_curl(
            url_, {"--range", std::to_string(offset) + "-" + std::to_string(offset + length - 1)},
            length);
        if (!answer)
            return answer.error();
        bytes_read_ += answer->body.size();
        if (answer->is_page) {
            return Error{"refused", "link",
                         host_of(url_) + " sent a web page instead of a file; link to the file "
                                         "itself, on Hugging Face with /resolve/ in the address"};
        }
        if (answer->status == 416)
            return std::string();
        if (answer->status == 206) {
            if (answer->total)
                size_ = answer->total;
            const std::uint64_t left = size_ && *size_ > offset ? *size_ - offset : 0;
            if (size_ && answer->body.size() < std::min<std::uint64_t>(left, length))
                return curl_error(18, url_);
            return std::move(answer->body);
        }
        whole_file_ = true;
        if (answer->length)
            size_ = answer->length;
        if (offset == 0) {
            beginning_ = answer->body;
            return std::move(answer->body);
        }
    }
    const std::uint64_t end = offset + length;
    const bool all = size_ && beginning_.size() >= *size_;
    if (end > beginning_.size() && !all) {
        // Forwards is the only way, and in large steps, since each starts at the beginning.
        const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(
            std::max<std::uint64_t>(end, 2 * beginning_.size()), longest_beginning));
        if (end > longest_beginning) {
            return Error{"no-ranges", "link",
                         host_of(url_) + " does not send parts of files, and the header is too far "
                                         "from the beginning; download the file and name it "
                                         "instead"};
        }
        Result<Answer> answer = run_curl(url_, {}, wanted);
        if (!answer)
            return answer.error();
        bytes_read_ += answer->body.size();
        beginning_ = std::move(answer->body);
    }
    if (offset >= beginning_.size())
        return std::string();
    return beginning_.substr(static_cast<std::size_t>(offset), length);
}

} // namespace vramscope::cli
