#include "core/engines/graph/tensor_graph.h"

namespace vramscope::graph {

void Graph::expand(Id id) {
    if (id == none || (*this)[id].in_graph)
        return;
    (*this)[id].in_graph = true;
    for (const Id source : (*this)[id].sources) {
        if (source != none)
            expand(source);
    }
    ((*this)[id].op == Op::leaf ? leafs : nodes).push_back(id);
}

} // namespace vramscope::graph
