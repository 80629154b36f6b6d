#include "cli/pages_command.h"

#include <CLI/CLI.hpp>

namespace vramscope::cli {

void PagesCommand::add_to(CLI::App& app) {
    command_ = app.add_subcommand("pages", "Static pages, badges and JSON of all models");
    command_->add_option("--out", folder_, "The folder to write into; other files in it stay")
        ->required();
    command_
        ->add_option("--base-url", base_url_, "Where the folder will be: https://example.org/x/")
        ->required();
    command_->add_option("--repo-url", repo_url_, "Where the sources are, for a link");
    command_->add_option("--locales", locales_, "Languages, the first at the top; default: all");
    command_->add_option("--jobs", jobs_, "Threads; default: one per core");
    command_->add_flag("--png-pictures", png_pictures_,
                       "Previews name pictures/*.png (see web/pictures.mjs) instead of *.svg");
}

bool PagesCommand::given() const {
    return command_->parsed();
}

} // namespace vramscope::cli
