"""The whole site: every case with its stages, machines, programs and statistics, from the committed measurements."""

from __future__ import annotations

import shutil
from pathlib import Path

from perf_ladders.pages import machines_view, render
from perf_ladders.results.shown import by_file, of_stage
from perf_ladders.tree.catalogue import case_names, read_case


def write(folder: Path) -> Path:
    """Returns the page over all cases."""
    made, shown, side_by_side = render.Folder(), [], []
    data: list[Path] = []
    for name in case_names():
        found = by_file(read_case(name))
        if found:
            path, first = found[0]
            mine = {stage: of_stage(stage, found) for stage in first.case.stages}
            of_stages = {stage: (analysis, file.name) for stage, (file, analysis) in mine.items()}
            side_by_side.append([analysis for _, analysis in found])
            elsewhere = side_by_side[-1][1:]
            render.case_pages(made, first, path.name, elsewhere, published=True, of_stages=of_stages)
            if elsewhere:
                machines_view.page(made, f"{name}-machines.html", side_by_side[-1])
            shown.append((first, path.name))
            data += dict.fromkeys([path, *(file for file, _ in mine.values())])
    render.index_page(made, shown, side_by_side, published=True)
    index = made.write(folder)[-1]
    for path in data:
        shutil.copy(path, folder)
    return index
