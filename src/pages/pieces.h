// Pieces of pages about one model on one machine: tables and lists of the simulator's view model,
// as HTML.
#pragma once

#include "app/view_model.h"
#include "pages/page.h"

namespace vramscope::pages {

/// The verdict with its figures and the bars of the devices.
void write_answer(Page& page, const app::ViewModel& view);
/// Precision x context, each cell with its verdict on the page's machine.
void write_matrix(Page& page, const app::ViewModel& view);
void write_hardware(Page& page, const app::ViewModel& view, std::string_view model);
void write_files(Page& page, const app::ViewModel& view, const catalog::Model& model);
void write_facts(Page& page, const app::ViewModel& view);
void write_notes(Page& page, const app::ViewModel& view);
void write_why(Page& page, const app::ViewModel& view);
void write_assumptions(Page& page, const app::ViewModel& view);
void write_commands(Page& page, const app::ViewModel& view);
/// The simulator on demand: a link, and a frame that loads when it is opened.
void write_simulator(Page& page, const catalog::Query& query, std::string_view model);

/// "With GGUF Q4_K_M weights and 32,768 tokens of context it needs 7.12 GiB. …"
std::string summary_of(const Page& page, const ModelEntry& entry, std::string_view weights);

/// A table of models, as lists by family and size have it.
void write_models(Page& page, const std::vector<const ModelEntry*>& models, std::string_view label);

} // namespace vramscope::pages
