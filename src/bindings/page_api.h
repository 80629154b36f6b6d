// The C face of the page: what app.js exports. Texts come in as UTF-8 with a length and go out as
// NUL-terminated texts from malloc() that the caller frees, as in core_api.h.
//
// The page tells the outside through optional functions of the Module object:
//   onView(json)        the view changed (view_model.h as JSON); while something is dragged at most
//                       ten times a second, and once when it is let go
//   onUrl(query)        the query string that reproduces the state
//   onContext(lost)     the GPU took the drawing context away (true) or gave it back (false)
//   onWork()            there are rows to compute: call vs_app_work() between two inputs
//   onPicture()         the person asked for a picture of what is drawn
//   onClipboard(ok)     the browser took or refused a text that was copied
#pragma once

#include <cstddef>

extern "C" {

/// Starts drawing on the canvas; 0 when there is no WebGL2 (the HTML twin works all the same).
int vs_app_start(const char* canvas_selector);
void vs_app_stop();

/// Data of the page. Each answers nullptr, or an error as JSON {code, where, message}; the last
/// good data stays.
char* vs_app_catalog(const char* json, std::size_t length);
char* vs_app_locale(const char* json, std::size_t length);

/// Takes the state from a query string.
void vs_app_url(const char* query, std::size_t length);
/// What a person did in the HTML twin: {"kind": "set_field", "key": "n_ctx", "value": "8192"}.
/// Answers nullptr, or an error as above when it is no action.
char* vs_app_action(const char* json, std::size_t length);
/// Computes rows for about so many milliseconds; 1 while there are more.
int vs_app_work(double milliseconds);
/// The person has come to rest: from here undo comes back.
void vs_app_settle();
/// The view as JSON; nullptr before catalog and locale are there.
char* vs_app_view();
}
