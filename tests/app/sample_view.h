// A view filled by hand for tests of the painter: every panel has content, and texts of three
// languages are as long as they get. The figures are illustrative.
#pragma once

#include "app/view_model.h"

namespace vramscope::app::test {

inline Action field_action(const char* key, const char* value) {
    return {Action::Kind::set_field, key, value};
}

inline Choice choice(std::string label, std::string detail, Action action, bool selected = false) {
    Choice made;
    made.label = std::move(label);
    made.detail = std::move(detail);
    made.action = std::move(action);
    made.selected = selected;
    return made;
}

enum class Wording { english, german, japanese };

/// Picks the text of the language.
struct Words {
    Wording wording;
    const char* operator()(const char* english, const char* german, const char* japanese) const {
        if (wording == Wording::german)
            return german;
        return wording == Wording::japanese ? japanese : english;
    }
};

inline void fill_frame(ViewModel& view, const Words& say, const char* theme) {
    view.page_title = "Vramscope";
    view.search_hint = say("Search 382 models, or drop a GGUF here",
                           "382 Modelle durchsuchen oder eine GGUF-Datei hier ablegen",
                           "382 個のモデルを検索、または GGUF をここにドロップ");
    view.languages = {choice("English", "", {Action::Kind::set_language, "", "en"},
                             say.wording == Wording::english),
                      choice("Deutsch", "", {Action::Kind::set_language, "", "de"},
                             say.wording == Wording::german),
                      choice("日本語", "", {Action::Kind::set_language, "", "ja"},
                             say.wording == Wording::japanese)};
    const std::string chosen = theme;
    view.themes = {choice(say("Automatic", "Automatisch", "自動"), "",
                          {Action::Kind::set_theme, "", "auto"}, chosen == "auto"),
                   choice(say("Dark", "Dunkel", "ダーク"), "",
                          {Action::Kind::set_theme, "", "dark"}, chosen == "dark"),
                   choice(say("Light", "Hell", "ライト"), "",
                          {Action::Kind::set_theme, "", "light"}, chosen == "light")};
    view.units = {choice("GiB", "", {Action::Kind::set_unit, "", "gib"}, true),
                  choice("GB", "", {Action::Kind::set_unit, "", "gb"})};
    view.share_label = say("Share", "Teilen", "共有");
    view.copied_label = say("Copied", "Kopiert", "コピーしました");
    view.copy_label = say("Copy", "Kopieren", "コピー");
    view.open_label =
        say("Open a file or link…", "Datei oder Link öffnen …", "ファイルまたはリンクを開く…");
    view.reset_label = say("Start over", "Zurücksetzen", "初期設定に戻す");
    view.footer = say(
        "An estimate, not a trace. Catalog 2026.08.1 of 2026-08-23 · engine model llama.cpp 0.7.0",
        "Eine Schätzung, keine Messung. Katalog 2026.08.1 vom 23.08.2026 · Engine-Modell llama.cpp "
        "0.7.0",
        "これは見積もりであり、実測ではありません。カタログ "
        "2026.08.1（2026-08-23）・エンジンモデル llama.cpp 0.7.0");
}

inline void fill_setup(ViewModel& view, const Words& say) {
    view.model_name = "GLM-4-9B-0414";
    view.model_subtitle = "Zhipu AI · MIT · 2025-Q2";
    view.chips = {say("9.40 B dense", "9,40 Mrd. dicht", "9.40B デンス"),
                  say("40 layers", "40 Schichten", "40 層"), "GQA 32Q / 2KV",
                  say("32K native", "32K nativ", "ネイティブ 32K")};
    view.setup_title = say("Set-up", "Konfiguration", "構成");

    Control model;
    model.id = "model";
    model.label = say("Model", "Modell", "モデル");
    for (const char* name :
         {"GLM-4-9B-0414", "GLM-4.5-Air", "Qwen3-8B", "Qwen3-30B-A3B", "Llama-3.1-8B-Instruct",
          "Gemma-3-12B-it", "Mistral-Small-24B", "DeepSeek-V3", "Phi-4", "gpt-oss-20b"})
        model.choices.push_back(choice(name, "9.40 B", field_action("model", name),
                                       std::string(name) == "GLM-4-9B-0414"));
    view.controls.push_back(model);

    Control weights;
    weights.id = "artifact";
    weights.help = say("A recorded file, or a format computed tensor by tensor",
                       "Eine erfasste Datei oder ein Tensor für Tensor berechnetes Format",
                       "記録済みのファイル、またはテンソルごとに計算した形式");
    weights.label = say("Weights", "Gewichte", "重み");
    const char* const exact = say("exact file", "exakte Datei", "実ファイル");
    for (const auto& [name, size, value] : {std::tuple{"BF16 safetensors", "17.51 GiB", "bf16"},
                                            {"GGUF Q8_0", "9.31 GiB", "gguf-q8_0"},
                                            {"GGUF Q6_K", "7.70 GiB", "gguf-q6_k"},
                                            {"GGUF Q5_K_M", "6.57 GiB", "gguf-q5_k_m"},
                                            {"GGUF Q4_K_M", "5.74 GiB", "gguf-q4_k_m"}})
        weights.choices.push_back(choice(name, std::string(size) + " · " + exact,
                                         field_action("artifact", value),
                                         std::string(value) == "gguf-q4_k_m"));
    view.controls.push_back(weights);

    Control engine;
    engine.kind = Control::Kind::segmented;
    engine.id = "engine";
    engine.label = say("Engine", "Engine", "推論エンジン");
    for (const char* name : {"llama.cpp", "Ollama", "vLLM", "SGLang", "MLX", "Transformers"})
        engine.choices.push_back(
            choice(name, "", field_action("engine", name), std::string(name) == "llama.cpp"));
    view.controls.push_back(engine);

    Control hardware;
    hardware.id = "hardware";
    hardware.label = say("Hardware", "Hardware", "ハードウェア");
    for (const char* name :
         {"RTX 3060 12GB", "RTX 4060 Ti 16GB", "RTX 3090 24GB", "RTX 4090 24GB", "RTX 5090 32GB",
          "Apple M-Max 64GB", "Mac Studio 128GB", "Mac Studio 192GB", "NVIDIA A100 80GB",
          "NVIDIA H100 80GB", "2 × RTX 3090 24GB", "CPU only"})
        hardware.choices.push_back(choice(name, "360 GB/s", field_action("hardware", name),
                                          std::string(name) == "RTX 3060 12GB"));
    view.controls.push_back(hardware);

    Control context;
    context.kind = Control::Kind::slider;
    context.id = "n_ctx";
    context.label = say("Context", "Kontext", "コンテキスト");
    context.value_text = say("32,768 tokens", "32.768 Tokens", "32,768 トークン");
    context.edit_text = "32768";
    context.value = 32768;
    context.minimum = 2048;
    context.maximum = 131072;
    context.logarithmic = true;
    context.marks = {{2048, "2K", Tone::dim},
                     {8192, "8K", Tone::dim},
                     {32768, say("32K native", "32K nativ", "ネイティブ 32K"), Tone::accent},
                     {131072, "128K", Tone::dim}};
    view.controls.push_back(context);

    Control sequences;
    sequences.kind = Control::Kind::stepper;
    sequences.id = "n_seq";
    sequences.label = say("Sequences", "Sequenzen", "同時シーケンス");
    sequences.value_text = sequences.edit_text = "1";
    sequences.value = 1;
    sequences.minimum = 1;
    sequences.maximum = 256;
    sequences.step = 1;
    view.controls.push_back(sequences);

    Control kv;
    kv.kind = Control::Kind::segmented;
    kv.id = "type_k";
    kv.label = say("KV type", "KV-Typ", "KV 型");
    kv.choices = {choice("F16", "", field_action("type_k", "f16"), true),
                  choice("Q8", "", field_action("type_k", "q8_0")),
                  choice("Q4", "", field_action("type_k", "q4_0"))};
    view.controls.push_back(kv);

    Control reserved;
    reserved.kind = Control::Kind::number;
    reserved.id = "reserved_gib";
    reserved.label = say("Already in use", "Bereits belegt", "使用中のメモリ");
    reserved.edit_text = reserved.value_text = "0";
    reserved.unit = "GiB";
    reserved.maximum = 4096;
    view.controls.push_back(reserved);

    Control host = reserved;
    host.id = "host_memory_gib";
    host.label = say("Host RAM", "Arbeitsspeicher", "ホスト RAM");
    host.edit_text = host.value_text = "32";
    view.controls.push_back(host);

    Control batch = host;
    batch.id = "n_ubatch";
    batch.label = say("Micro-batch", "Mikro-Batch", "マイクロバッチ");
    batch.unit = say("tokens", "Tokens", "トークン");
    batch.edit_text = batch.value_text = "512";
    batch.advanced = true;
    view.controls.push_back(batch);
    view.advanced_label = say("Advanced", "Erweitert", "詳細設定");
}

inline void fill_answer(ViewModel& view, const Words& say) {
    view.verdict_sign = "✓";
    view.verdict_text = say("Fits comfortably", "Passt komfortabel", "余裕で収まります");
    view.verdict_detail =
        say("7.12 of 12.00 GiB on the RTX 3060 · 4.88 GiB free · range 7.07 – 7.41 GiB",
            "7,12 von 12,00 GiB auf der RTX 3060 · 4,88 GiB frei · Spanne 7,07 – 7,41 GiB",
            "RTX 3060 の 12.00 GiB のうち 7.12 GiB・空き 4.88 GiB・範囲 7.07 – 7.41 GiB");
    view.verdict_tone = Tone::ok;
    view.total.id = "total";
    view.total.label = say("in total", "insgesamt", "合計");
    view.total.value = "7.48";
    view.total.unit = "GiB";
    constexpr double gib = 1073741824.0;
    Bar bar;
    bar.label = "RTX 3060 12GB";
    bar.value_text = "7.12 / 12.00 GiB";
    bar.capacity = 12 * gib;
    bar.free_limit = 11.4 * gib;
    bar.verdict_text = say("Fits", "Passt", "収まる");
    const char* const weights = say("Weights", "Gewichte", "重み");
    const char* const cache = say("KV cache", "KV-Cache", "KV キャッシュ");
    const char* const compute = say("Compute", "Rechenpuffer", "計算バッファ");
    const char* const driver = say("Driver", "Treiber", "ドライバー");
    bar.segments = {
        {5.41 * gib, 5.41 * gib, Tone::weights, weights, "5.41 GiB", "76 %", "5,808,062,464 B"},
        {1.25 * gib, 1.25 * gib, Tone::kv, cache, "1.25 GiB", "18 %", "1,342,177,280 B"},
        {0.14 * gib, 0.14 * gib, Tone::compute, compute, "0.14 GiB", "2 %", "150,323,855 B"},
        {0.32 * gib, 0.61 * gib, Tone::overhead, driver, "0.32 GiB", "4 %", "0.27 – 0.61 GiB"}};
    bar.axis = {"0", "3", "6", "9", "12 GiB"};
    view.bars.push_back(bar);

    const auto part = [&](const char* label, const char* value, const char* share, Tone tone) {
        Figure figure;
        figure.id = figure.label = label;
        figure.value = value;
        figure.unit = "GiB";
        figure.detail = share;
        figure.tooltip = std::string(value) + " GiB";
        figure.tone = tone;
        view.parts.push_back(figure);
    };
    part(weights, "5.41", "76 %", Tone::weights);
    part(cache, "1.25", "18 %", Tone::kv);
    part(compute, "0.14", "2 %", Tone::compute);
    part(driver, "0.32", "4 %", Tone::overhead);
    part(say("Host RAM", "Arbeitsspeicher", "ホスト RAM"), "0.36", "", Tone::normal);

    const auto figure = [&](const char* id, const char* label, const char* value, const char* unit,
                            const char* detail) {
        Figure made;
        made.id = id;
        made.label = label;
        made.value = value;
        made.unit = unit;
        made.detail = detail;
        made.tooltip = std::string(label) + ": " + value;
        view.figures.push_back(made);
    };
    figure("max_context", say("Largest context", "Größter Kontext", "最大コンテキスト"), "157,184",
           "", say("native limit 32,768", "natives Limit 32.768", "ネイティブ上限 32,768"));
    figure("decode", say("Decode", "Dekodierrate", "デコード速度"), "41", "tok/s",
           say("36 – 45 · bandwidth-bound", "36 – 45 · durch Bandbreite begrenzt",
               "36 – 45・帯域律速"));
    figure(
        "prefill",
        say("First token, 2K prompt", "Erstes Token, 2K-Prompt", "最初のトークン（2K プロンプト）"),
        "1.9", "s", "1.6 – 2.4 s");
    figure("kv_saving", say("KV saved by GQA", "KV-Ersparnis durch GQA", "GQA による KV 削減"),
           "93.8", "%",
           say("20.00 GiB as plain MHA", "20,00 GiB als reine MHA", "素の MHA なら 20.00 GiB"));
}

inline void fill_plot(ViewModel& view, const Words& say) {
    constexpr double gib = 1073741824.0;
    ContextPlot& plot = view.context_plot;
    plot.title =
        say("Memory on the RTX 3060 by context length", "Speicher auf der RTX 3060 je Kontextlänge",
            "RTX 3060 のメモリとコンテキスト長");
    for (int i = 0; i <= 64; ++i)
        plot.tokens.push_back(2048.0 + i * (196608.0 - 2048.0) / 64);
    plot.series = {{Tone::weights, say("Weights", "Gewichte", "重み"), {}},
                   {Tone::kv, say("KV cache", "KV-Cache", "KV キャッシュ"), {}},
                   {Tone::compute, say("Compute", "Rechenpuffer", "計算バッファ"), {}},
                   {Tone::overhead, say("Driver", "Treiber", "ドライバー"), {}}};
    for (const double tokens : plot.tokens) {
        plot.series[0].bytes.push_back(5.41 * gib);
        plot.series[1].bytes.push_back(40960 * tokens);
        plot.series[2].bytes.push_back(0.14 * gib + 1000 * tokens);
        plot.series[3].bytes.push_back(0.32 * gib);
        plot.point_labels.push_back(std::to_string(static_cast<int>(tokens)) + " tokens\n7.12 GiB");
    }
    plot.capacity_bytes = 11.8 * gib;
    plot.capacity_label = "RTX 3060 · 12 GiB";
    plot.native_tokens = 32768;
    plot.native_label = say("native limit", "natives Limit", "ネイティブ上限");
    plot.limit_tokens = 157184;
    plot.limit_label =
        say("out of memory at 157,184", "Speicher voll bei 157.184", "157,184 でメモリ不足");
    plot.current_tokens = 32768;
    plot.current_bytes = 7.15 * gib;
    plot.current_label =
        say("32,768 tokens\n7.12 GiB · 41 tok/s", "32.768 Tokens\n7,12 GiB · 41 tok/s",
            "32,768 トークン\n7.12 GiB・41 tok/s");
    plot.x_ticks = {{0, "0"},         {32768, "32K"},   {65536, "64K"},  {98304, "96K"},
                    {131072, "128K"}, {163840, "160K"}, {196608, "192K"}};
    plot.y_ticks = {{4 * gib, "4 GiB"}, {8 * gib, "8"}, {12 * gib, "12"}, {16 * gib, "16"}};
}

inline Cell verdict_cell(const char* text, Tone tone) {
    Cell cell;
    cell.text = text;
    cell.tone = tone;
    cell.tooltip = text;
    return cell;
}

inline Cell plain_cell(std::string text) {
    Cell cell;
    cell.text = std::move(text);
    return cell;
}

inline void fill_tables(ViewModel& view, const Words& say) {
    Table& matrix = view.matrix;
    matrix.id = "matrix";
    matrix.title = say("Precision × context", "Präzision × Kontext", "精度 × コンテキスト");
    matrix.caption =
        say("Total GPU memory by weight format and context, one sequence, F16 KV cache",
            "Gesamter GPU-Speicher nach Gewichtsformat und Kontext, eine Sequenz, KV-Cache in F16",
            "重み形式とコンテキストごとの GPU メモリ合計（シーケンス 1、F16 KV キャッシュ）");
    matrix.columns = {
        {say("Format", "Format", "形式"), false},
        {say("Bits per weight", "Bits je Gewicht", "重みあたりビット"), true},
        {say("Weights", "Gewichte", "重み"), true},
        {"8K", true},
        {"32K", true},
        {"128K", true},
        {say("Recommended class (32K)", "Empfohlene Klasse (32K)", "推奨クラス (32K)"), false}};
    const struct {
        const char* name;
        const char* bits;
        const char* weights;
        const char* total[3];
        Tone tones[3];
        const char* hardware;
    } rows[] = {{"BF16",
                 "16.00",
                 "17.51",
                 {"18.4", "19.4", "23.1"},
                 {Tone::bad, Tone::bad, Tone::bad},
                 "RTX 3090 24GB"},
                {"Q8_0",
                 "8.50",
                 "9.30",
                 {"10.0", "10.9", "14.7"},
                 {Tone::ok, Tone::ok, Tone::bad},
                 "RTX 4060 Ti 16GB"},
                {"Q6_K",
                 "6.56",
                 "7.18",
                 {"8.4", "9.3", "13.1"},
                 {Tone::ok, Tone::ok, Tone::bad},
                 "RTX 3060 12GB"},
                {"Q5_K_M",
                 "5.69",
                 "6.23",
                 {"7.0", "7.9", "11.7"},
                 {Tone::ok, Tone::ok, Tone::warn},
                 "RTX 3060 12GB"},
                {"Q4_K_M",
                 "4.85",
                 "5.31",
                 {"6.2", "7.1", "10.9"},
                 {Tone::ok, Tone::ok, Tone::ok},
                 "RTX 3060 12GB"},
                {"IQ4_XS",
                 "4.25",
                 "4.65",
                 {"5.4", "6.3", "10.1"},
                 {Tone::ok, Tone::ok, Tone::ok},
                 "RTX 3060 12GB"}};
    for (const auto& source : rows) {
        Row row;
        row.selected = std::string(source.name) == "Q4_K_M";
        const bool gguf = std::string(source.name) != "BF16";
        row.cells = {
            plain_cell(gguf ? "GGUF " + std::string(source.name) + " (Unsloth)" : source.name),
            plain_cell(source.bits), plain_cell(source.weights)};
        for (int i = 0; i < 3; ++i)
            row.cells.push_back(verdict_cell(source.total[i], source.tones[i]));
        row.cells.push_back(plain_cell(source.hardware));
        row.action = field_action("artifact", source.name);
        matrix.rows.push_back(row);
    }
    matrix.note = say("All totals in GiB.", "Alle Summen in GiB.", "合計はすべて GiB。");

    Table& hardware = view.hardware;
    hardware.id = "hardware";
    hardware.title = say("Where it runs at 32K", "Wo es bei 32K läuft", "32K で動くハードウェア");
    hardware.columns = {{say("Hardware", "Hardware", "ハードウェア"), false},
                        {say("Memory · bandwidth", "Speicher · Bandbreite", "メモリ・帯域"), false},
                        {say("Needed", "Benötigt", "必要量"), true},
                        {say("Used", "Auslastung", "使用率"), true},
                        {say("Verdict", "Bewertung", "判定"), false},
                        {say("Decode", "Dekodierrate", "デコード"), true}};
    const char* const fits = say("Fits comfortably", "Passt komfortabel", "余裕あり");
    const char* const tight = say("Tight", "Knapp", "ぎりぎり");
    const char* const no = say("Does not fit", "Passt nicht", "収まりません");
    const struct {
        const char* name;
        const char* memory;
        const char* used;
        double part;
        int verdict;
        const char* rate;
    } devices[] = {{"RTX 2060 6GB", "6 GiB · 336 GB/s", "119 %", 1, 2, "–"},
                   {"RTX 3070 8GB", "8 GiB · 448 GB/s", "89 %", 0.89, 1, "48.1 tok/s"},
                   {"RTX 3060 12GB", "12 GiB · 360 GB/s", "59 %", 0.59, 0, "41.0 tok/s"},
                   {"RTX 3090 24GB", "24 GiB · 936 GB/s", "30 %", 0.30, 0, "83.2 tok/s"},
                   {"Apple M-Max 64GB", "64 GiB · 546 GB/s", "12 %", 0.12, 0, "45.7 tok/s"},
                   {"NVIDIA H100 80GB", "80 GiB · 3,350 GB/s", "9 %", 0.09, 0, "315.2 tok/s"}};
    for (const auto& device : devices) {
        Row row;
        row.cells = {plain_cell(device.name),
                     plain_cell(device.memory),
                     plain_cell("7.12 GiB"),
                     plain_cell(device.used),
                     device.verdict == 0   ? verdict_cell(fits, Tone::ok)
                     : device.verdict == 1 ? verdict_cell(tight, Tone::warn)
                                           : verdict_cell(no, Tone::bad),
                     plain_cell(device.rate)};
        row.cells[1].tone = Tone::dim;
        row.cells[3].bar = device.part;
        row.selected = std::string(device.name) == "RTX 3060 12GB";
        row.action = field_action("hardware", device.name);
        hardware.rows.push_back(row);
    }

    Table& files = view.files;
    files.id = "files";
    files.title = say("Weight files", "Gewichtsdateien", "重みファイル");
    files.columns = {{say("Format", "Format", "形式"), false},
                     {say("Files", "Dateien", "ファイル"), false},
                     {say("Bytes", "Bytes", "バイト"), true},
                     {say("Engines", "Engines", "エンジン"), false},
                     {say("Evidence", "Nachweis", "根拠"), false}};
    Row bf16;
    bf16.cells = {plain_cell("BF16 safetensors"),
                  plain_cell("model-00001-of-00004.safetensors, model-00002-of-00004.safetensors, "
                             "model-00003-of-00004.safetensors, model-00004-of-00004.safetensors"),
                  plain_cell("18,800,558,080"), plain_cell("vLLM, SGLang"),
                  plain_cell("file-metadata")};
    Row q4;
    q4.cells = {plain_cell("GGUF Q4_K_M (Unsloth)"), plain_cell("GLM-4-9B-0414-Q4_K_M.gguf"),
                plain_cell("6,166,574,944"), plain_cell("llama.cpp, Ollama"),
                plain_cell("file-metadata")};
    q4.selected = true;
    files.rows = {bf16, q4};
}

inline void fill_rest(ViewModel& view, const Words& say) {
    view.tabs = {
        {"context", say("Memory by context", "Speicher je Kontext", "コンテキスト別メモリ"), true},
        {"matrix", say("Matrix", "Matrix", "マトリクス"), false},
        {"hardware", say("Hardware", "Hardware", "ハードウェア"), false},
        {"files", say("Files", "Dateien", "ファイル"), false},
        {"model", say("Architecture", "Architektur", "アーキテクチャ"), false}};
    view.architecture_title =
        say("Checked architecture", "Geprüfte Architektur", "検証済みアーキテクチャ");
    view.architecture = {
        {"Checkpoint", "zai-org/GLM-4-9B-0414", "https://huggingface.co/zai-org/GLM-4-9B-0414"},
        {say("Attention", "Aufmerksamkeitsmechanismus", "アテンション"),
         "Grouped-Query Attention (GQA)", ""},
        {say("Hidden layers / hidden size", "Verborgene Schichten / Hidden-Dimension",
             "層数 / 隠れ次元"),
         "40 / 4,096", ""},
        {say("Query heads / KV heads", "Query-Heads / KV-Heads", "クエリヘッド / KV ヘッド"),
         "32 / 2 (d = 128)", ""}};
    view.notes = {
        {Tone::normal,
         say("Quantised formats keep block scales next to the packed integers: Q4_K_M needs "
             "4.85 bits per weight on average, not 4.",
             "Quantisierte Formate speichern blockweise Skalierungsfaktoren neben den gepackten "
             "Ganzzahlen: Q4_K_M braucht im Schnitt 4,85 Bits je Gewicht, nicht 4.",
             "量子化形式は整数に加えてブロックごとのスケールを保存します。Q4_K_M "
             "は平均で重みあたり "
             "4.85 ビットを必要とし、4 ビットではありません。")}};

    view.why_title = say("Why 7.12 GiB?", "Warum 7,12 GiB?", "なぜ 7.12 GiB？");
    view.why = {
        {say("Weights on the GPU", "Gewichte auf der GPU", "GPU 上の重み"), "5.41",
         "6,157,238,272 − 349,175,808 B",
         say("Tensor bytes without the token embedding, which stays in host RAM",
             "Tensor-Bytes ohne die Token-Einbettung, die im Arbeitsspeicher bleibt",
             "トークン埋め込みを除くテンソルのバイト数。埋め込みはホスト RAM に残ります"),
         "llama.cpp 0.7.0", Tone::weights},
        {say("KV cache", "KV-Cache", "KV キャッシュ"), "1.25", "2 × 40 × 2 × 128 × 32,768 × 2 B",
         say("layers × KV heads × head dimension × tokens × F16",
             "Schichten × KV-Heads × Head-Dimension × Tokens × F16",
             "層 × KV ヘッド × ヘッド次元 × トークン × F16"),
         "", Tone::kv},
        {say("Compute buffer", "Rechenpuffer", "計算バッファ"), "0.14",
         "4·512·(3·13,696 + 4·4,096 + 8) + mask",
         say("flash attention, server outputs", "Flash Attention, Server-Ausgaben",
             "Flash Attention、サーバー出力"),
         "", Tone::compute},
        {say("CUDA context", "CUDA-Kontext", "CUDA コンテキスト"), "0.32", "0.27 … 0.61 GiB",
         say("from 14 measured logs, no display", "aus 14 gemessenen Protokollen, ohne Bildschirm",
             "14 件の実測ログから（ディスプレイなし）"),
         "", Tone::overhead}};
    view.assumptions_title = say("Assumptions", "Annahmen", "前提");
    view.assumptions = {
        say("The context is within the native window of 32,768 tokens.",
            "Der Kontext liegt innerhalb des nativen Fensters von 32.768 Tokens.",
            "コンテキストはネイティブの 32,768 トークン以内です。"),
        say("Weights are loaded once, whatever the number of sequences.",
            "Die Gewichte werden einmal geladen, unabhängig von der Zahl der Sequenzen.",
            "重みはシーケンス数に関係なく一度だけ読み込まれます。")};
    view.run_title = say("Run it", "Ausführen", "実行する");
    view.commands = {
        {"llama.cpp", "llama.cpp",
         "llama-server -hf unsloth/GLM-4-9B-0414-GGUF:Q4_K_M \\\n  -c 32768 -np 1 -ngl 99 -fa on",
         ""},
        {"ollama", "Ollama",
         "FROM hf.co/unsloth/GLM-4-9B-0414-GGUF:Q4_K_M\nPARAMETER num_ctx 32768",
         "OLLAMA_NUM_PARALLEL=1 OLLAMA_FLASH_ATTENTION=1 ollama serve"},
        {"vllm", "vLLM",
         "vllm serve zai-org/GLM-4-9B-0414 \\\n  --max-model-len 32768 --max-num-seqs 8", ""}};
    view.related_title = say("Similar models", "Ähnlich große Modelle", "同じ規模のモデル");
    for (const char* name :
         {"Qwen3-8B", "Llama-3.1-8B-Instruct", "Gemma-3-12B-it", "Ministral-8B-Instruct-2410"})
        view.related.push_back(
            choice(name, "8.2 B · Apache-2.0 · 40K", field_action("model", name)));
}

inline ViewModel sample_view(Wording wording = Wording::english, const char* theme = "dark",
                             const char* tab = "context") {
    ViewModel view;
    const Words say{wording};
    fill_frame(view, say, theme);
    fill_setup(view, say);
    fill_answer(view, say);
    fill_plot(view, say);
    fill_tables(view, say);
    fill_rest(view, say);
    for (Tab& each : view.tabs)
        each.selected = each.id == tab;
    return view;
}

/// Several devices, much too little memory, and a wrong input: everything that turns red.
inline ViewModel crowded_view(Wording wording = Wording::german, const char* theme = "light",
                              const char* tab = "hardware") {
    ViewModel view = sample_view(wording, theme, tab);
    const Words say{wording};
    view.verdict_sign = "✕";
    view.verdict_tone = Tone::bad;
    view.verdict_text = say("Does not fit: 21.30 GiB too much", "Passt nicht: 21,30 GiB zu viel",
                            "収まりません：21.30 GiB 不足");
    Bar second = view.bars[0];
    second.label = "NVIDIA RTX PRO 6000 Blackwell Workstation Edition 96GB";
    second.verdict_tone = Tone::bad;
    second.verdict_text = say("Does not fit", "Passt nicht", "収まりません");
    second.segments[0].bytes *= 2.4;
    view.bars.push_back(second);
    view.messages = {
        {Tone::bad, say("Unknown model “glm-5”: choose one from the search.",
                        "Unbekanntes Modell „glm-5“: bitte eines aus der Suche wählen.",
                        "不明なモデル「glm-5」です。検索から選んでください。")},
        {Tone::warn, say("The context is beyond the native limit of 32,768 tokens.",
                         "Der Kontext liegt über dem nativen Limit von 32.768 Tokens.",
                         "コンテキストがネイティブ上限の 32,768 トークンを超えています。")}};
    for (Control& control : view.controls)
        if (control.id == "reserved_gib")
            control.error =
                say("“abc” is no number; give GiB, such as 1.5.",
                    "„abc“ ist keine Zahl; bitte GiB angeben, etwa 1,5.",
                    "「abc」は数値ではありません。1.5 のように GiB で入力してください。");
    return view;
}

} // namespace vramscope::app::test
