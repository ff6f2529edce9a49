"""What is said of libraries: their versions, their instructions, and how the closing stages stand against them."""

from __future__ import annotations

import dataclasses
import re
import subprocess

import msgspec
import pytest
from measurement_sample import analysed, made, small
from msgspec.structs import replace

from perf_ladders.errors import UserError
from perf_ladders.measure import library_versions
from perf_ladders.measure.runner import Runner
from perf_ladders.model.measurement import Measurement
from perf_ladders.pages import answer, export, formatting, numbers_view
from perf_ladders.results import libraries, queries
from perf_ladders.results.rows import PeerComparison
from perf_ladders.stats import Comparison
from perf_ladders.tree import peer
from perf_ladders.tree.build import Program
from perf_ladders.tree.paths import ROOT, STAGES

EQUAL = '[[instructions]]\nlevel = "x86-64"\ntext = "SSE2"\nsource = "a.c"\n'
NEWER = '[[instructions]]\nlevel = "x86-64-v3"\nsince = "1.11"\ntext = "AVX2"\nsource = "b.c"\n'
README = "[before](stages/xtea/02-transform/stage.cpp) [after](stages/xtea/04-interchange/stage.cpp)"
LOW, HIGH = "x86-64", "x86-64-v3"


def told(monkeypatch, **texts):
    """As if these were the files of the libraries."""
    said = {name: peer.parse_peer(text, name) for name, text in texts.items()}
    monkeypatch.setattr(libraries, "read_peer", lambda folder: said.get(folder.name, peer.Peer()))


def two_workloads(low, high):
    """Two main workloads at two levels: of each level the speeds on both, by name."""
    found = made(low["message"])
    found.programs, runs = [], [[] for _ in found.blocks]
    for level, speeds in ((LOW, low), (HIGH, high)):
        message, short = (made(speeds[name], seed=seed) for seed, name in enumerate(("message", "short")))
        identity = {one.id: one.id.replace(f".{LOW}.", f".{level}.") for one in message.programs}
        found.programs += [replace(one, id=identity[one.id], level=level) for one in message.programs]
        for mine, block, other in zip(runs, message.blocks, short.blocks, strict=True):
            for one, beside in zip(block.runs, other.runs, strict=True):
                times = {**one.times_ns, **({"short": beside.times_ns["message"]} if block.part == "main" else {})}
                mine.append(replace(one, program=identity[one.program], times_ns=times))
    for block, mine in zip(found.blocks, runs, strict=True):
        block.runs = mine
    found.design.parts[0].workloads = ["message", "short"]
    found.workloads.insert(1, replace(found.workloads[0], name="short", bytes=16))
    return found


def sample():
    """At the high level it gains on long messages and loses on short ones; at the low level it loses more."""
    ladder = {"xtea-00": 1, "xtea-00-again": 1}
    high = {
        "message": {**ladder, "xtea-04": 8, "xtea-botan": 2, "xtea-cryptopp": 4},
        "short": {**ladder, "xtea-04": 1.6, "xtea-botan": 2, "xtea-cryptopp": 1},
    }
    low = {
        "message": {**ladder, "xtea-04": 3, "xtea-botan": 2, "xtea-cryptopp": 4},
        "short": {**ladder, "xtea-04": 1.5, "xtea-botan": 2, "xtea-cryptopp": 1},
    }
    return two_workloads(low, high)


def ends(standing):
    return [(one.workload, one.peer, one.level, round(one.comparison.ratio, 1)) for one in standing.ends]


def line(measurement):
    return export.readme_parts({"xtea": [analysed(measurement)]}, README)["table"].splitlines()[2]


def test_best_and_worst_are_over_the_fastest_library_of_a_workload():
    found = libraries.against(analysed(sample()), (HIGH, "gcc"))
    assert ends(found.here) == [("message", "xtea-cryptopp", HIGH, 2.0), ("short", "xtea-botan", HIGH, 0.8)]


def test_only_programs_of_one_compiler_are_set_against_each_other():
    """Clang's Botan takes a tenth of the time."""
    found = sample()
    found.compilers.append(replace(found.compilers[0], name="clang", preset="clang"))
    found.programs += [replace(one, id=one.id.replace(".gcc", ".clang"), compiler="clang") for one in found.programs]
    for block in found.blocks:
        for run in [*block.runs]:
            factor = 0.1 if run.program.startswith("botan.") else 1
            times = {name: [factor * one for one in every] for name, every in run.times_ns.items()}
            block.runs.append(replace(run, program=run.program.replace(".gcc", ".clang"), times_ns=times))
    analysis = analysed(found)
    here = libraries.against(analysis, (HIGH, "gcc")).here
    assert ends(here) == [("message", "xtea-cryptopp", HIGH, 2.0), ("short", "xtea-botan", HIGH, 0.8)]
    over = {(one.compiler, one.below, one.level) for one in queries.over_levels(analysis)}
    assert over == {("gcc", LOW, HIGH), ("clang", LOW, HIGH)}
    assert queries.highest(analysis) == [(HIGH, "gcc"), (HIGH, "clang")]


def test_a_library_is_also_compared_at_the_level_of_its_instructions(monkeypatch):
    told(monkeypatch, botan=EQUAL.replace("x86-64", HIGH), cryptopp=EQUAL)
    found = libraries.against(analysed(sample()), (HIGH, "gcc"))
    assert ends(found.equal) == [("short", "xtea-botan", HIGH, 0.8), ("message", "xtea-cryptopp", LOW, 0.7)]
    assert not found.left_out


@pytest.mark.parametrize(("level", "equal"), [("as built", HIGH), ("x86-64-v4", HIGH), ("unknown", None)])
def test_the_equal_level_is_one_that_was_measured(monkeypatch, level, equal):
    told(monkeypatch, botan=EQUAL.replace(LOW, level), cryptopp=EQUAL)
    found = libraries.against(analysed(sample()), (HIGH, "gcc"))
    assert found.libraries["xtea-botan"].equal == equal
    assert [one.name for one in found.left_out] == ([] if equal else ["botan"])


def test_what_a_library_uses_follows_from_the_version_that_was_measured(monkeypatch):
    told(monkeypatch, botan=EQUAL + NEWER)
    for version, level in (("1.10.3", LOW), ("1.11", HIGH), ("1.12.1", HIGH), (None, None)):
        measurement = sample()
        measurement.libraries = {"botan": version} if version else {}
        assert libraries.against(analysed(measurement), (HIGH, "gcc")).libraries["xtea-botan"].equal == level


def test_the_table_of_readme_shows_where_a_case_loses(monkeypatch):
    told(monkeypatch, botan=EQUAL, cryptopp=EQUAL + NEWER)
    measurement = sample()
    measurement.libraries = {"botan": "2.19.3"}
    cells = [cell.strip() for cell in line(measurement).split("|")]
    assert cells[4].startswith(("1.99", "2.0"))
    assert cells[4].endswith("faster: cryptopp, `message`")
    assert cells[5].startswith("0.8")
    assert cells[5].endswith("slower: botan 2.19.3, `short`")
    assert cells[6].endswith("`message`, x86-64")
    assert cells[7].startswith("0.7")
    assert cells[7].endswith("`short`, x86-64; not compared: cryptopp")


def test_the_page_shows_versions_and_what_an_interface_forces(monkeypatch):
    told(monkeypatch, botan='interface = "It is big-endian."\n' + EQUAL)
    measurement = sample()
    measurement.libraries = {"botan": "2.19.3"}
    page = export.page([analysed(measurement)]).split("## Against the libraries")[1].split("\n## ")[0]
    assert "| botan | 2.19.3 | SSE2 (a.c) | x86-64 | It is big-endian. |" in page
    assert "| cryptopp | n/a | unknown | unknown | n/a |" in page
    assert "No comparison with equal instructions: cryptopp n/a." in page
    assert "| workload | botan, x86-64 | cryptopp, unknown |" in page


def alone(message, short):
    """The sample, with the speeds of Botan's adapter on both workloads."""
    ladder = {"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 8, "xtea-botan": 2}
    speeds = {
        "message": {**ladder, "xtea-botan-no-cipher": message},
        "short": {**ladder, "xtea-botan-no-cipher": short},
    }
    return analysed(two_workloads(speeds, speeds))


def test_the_page_says_which_part_of_its_time_the_adapter_of_a_library_takes(monkeypatch):
    told(monkeypatch, botan='interface = "It is big-endian."\n' + EQUAL, cryptopp=EQUAL)
    found = alone(50, 5)
    assert "no-cipher" not in str(libraries.against(found, (HIGH, "gcc")).here)
    page = re.sub(r"\[\d+\.\d, \d+\.\d\]", "[...]", export.page([found]))
    said = "Its adapter alone takes 4.0 % [...] (`message`) to 40.0 % [...] (`short`) of its time."
    assert f"| It is big-endian. {said} |" in page
    told(monkeypatch, botan='interface = "It is big-endian."\ncopied = "message"\n' + EQUAL, cryptopp=EQUAL)
    assert "of its time, with a copy of each message that the library does not make. |" in export.page([alone(50, 5)])


def test_a_library_whose_adapter_has_changed_since_says_so():
    """A better adapter makes the library faster, so its former figures are not those of the code that is shown."""
    found = alone(50, 5)
    assert "†" not in export.page([found])
    found.measurement.sources["peer/botan"] = "0" * 64
    found = analysed(found.measurement)
    page = export.page([found])
    assert "adapter alone takes" not in page
    assert "| botan† | n/a |" in page
    assert "| botan n/a† | " in page
    assert "†: the source of the adapter of this library has changed since." in page
    assert {place.named(one) for place in libraries.places([found]) for one in place.standing.ends} == {"botan†"}
    measurement = sample()
    measurement.sources["peer/botan"] = "0" * 64
    assert "slower: botan†, `short` |" in line(measurement)


def test_without_a_measurement_of_it_an_adapter_is_named():
    page = export.page([analysed(sample())])
    assert "adapter alone" not in page
    assert "What the adapters themselves take was not timed: botan and cryptopp." in page


def test_a_part_of_which_too_little_is_known_says_so():
    assert formatting.part(Comparison(0.0313, 0.029, 0.0333, "slower")) == "3.1 % [2.9, 3.3]"
    assert formatting.part(Comparison(0.0313, 0.029, None, "undecided")) == "3.1 % [2.9, ?]"
    assert formatting.part(Comparison(0.0313, None, None, "undecided")) == "3.1 % [too few rounds]"


def test_programs_of_the_same_code_need_no_rounds_for_brackets():
    assert formatting.ratio(Comparison(1.0, None, None, "same code")) == "1.000x"
    assert formatting.ratio(Comparison(1.0, None, None, "undecided")) == "1.000x [too few rounds]"
    assert formatting.ratio(Comparison(1.0, 0.99, 1.01, "same code")) == "1.000x [0.990, 1.010]"


def test_sizes_count_too_where_it_is_worst():
    """Otherwise a loss that is no main workload would stand in no table."""
    measurement = sample()
    measurement.workloads[1] = replace(measurement.workloads[1], role="sweep", name="sweep/16")
    measurement.design.parts[0].workloads = ["message"]
    for block in measurement.blocks:
        for run in block.runs:
            run.times_ns = {name.replace("short", "sweep/16"): times for name, times in run.times_ns.items()}
    analysis = analysed(measurement)
    assert [one.name for one in analysis.main_workloads] == ["message"]
    worst = libraries.against(analysis, (HIGH, "gcc")).here.worst
    assert (worst.workload, worst.comparison.verdict) == ("sweep/16", "slower")
    found = numbers_view.numbers(analysis, HIGH)[0].sizes[0]
    assert (found.library, found.vs_library) == ("botan", worst.comparison)
    page = export.page([analysis])
    assert "| message |" in page
    assert "| sweep/16 |" not in page, "the table of every library has the main workloads"


def test_a_ratio_without_an_interval_is_not_the_worst_where_others_have_one():
    comparison = Comparison(2.0, 1.9, 2.1, "faster")
    known = PeerComparison("xtea-04", "xtea-botan", HIGH, "gcc", "message", comparison)
    open_ = dataclasses.replace(known, workload="short", comparison=Comparison(0.5, None, None, "undecided"))
    assert libraries._standing([known, open_]).ends == [known]
    assert libraries._standing([open_]).ends == [open_]


def test_each_cpu_shows_its_newest_measurement_against_the_libraries():
    """At every level, so that a loss on one core is not hidden behind the core that the page is about."""
    mine, older, other = sample(), sample(), sample()
    older.made.date = "2020-01-01T00:00:00+00:00"
    other.machine.cpu = "AMD EPYC 7763"
    other.machine.family_model_stepping = "25/1/1"
    found = libraries.places([analysed(one) for one in (mine, older, other)])
    assert {one.analysis.measurement.made.date for one in found} == {mine.made.date}
    assert len({formatting.short_machine(one.analysis.measurement) for one in found}) == 2
    assert [one.closing.ladder for one in found] == 2 * [(LOW, "gcc"), (HIGH, "gcc")]
    assert ends(found[1].standing) == [("message", "xtea-cryptopp", HIGH, 2.0), ("short", "xtea-botan", HIGH, 0.8)]
    page = export.page([analysed(mine), analysed(other)]).split("### On every CPU")[1].split("\n## ")[0]
    assert page.count("| AMD Zen 3 |") == 2
    assert "slower: botan, `short` |" in page


def test_the_answer_says_where_it_is_worst():
    said = answer.answer(analysed(sample()), published=True).sentences[-1]
    assert said.startswith("On its best workload (message) it is faster than the fastest library, cryptopp: ")
    assert "On its worst (short) it is slower than the fastest library, botan: 0.8" in said


def test_a_case_without_a_library_says_so():
    assert "| no library | | | | A &lt;processor>" in line(made({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4}))


def test_a_measurement_without_versions_is_still_read():
    found = msgspec.json.decode(msgspec.json.encode(small()), type=dict[str, object])
    del found["libraries"]
    assert msgspec.convert(found, Measurement).libraries == {}


def test_every_library_of_the_tree_says_what_it_uses():
    for source in STAGES.glob("*/peers/*/stage.cpp"):
        found = peer.read_peer(source.parent)
        assert found.interface, source
        assert found.instructions, source
    example = peer.read_peer(ROOT / "docs/examples/crc32/stages/crc32/peers/zlib")
    assert example.instructions


def test_a_library_of_which_nothing_is_said_has_no_file(tmp_path):
    assert peer.read_peer(tmp_path) == peer.Peer()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("interface = 1", "interface: it must be text"),
        ('interfaces = "x"', "there is no field `interfaces`; did you mean `interface`?"),
        (EQUAL.replace("x86-64", "v3"), "there is no level 'v3'; there are: "),
        (NEWER + EQUAL, "each entry is `since` a later version than the one before"),
        (EQUAL.replace('source = "a.c"\n', ""), "the field `source` is missing"),
        ("interface =", "is no TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_one_sentence(text, sentence):
    with pytest.raises(UserError, match=sentence.replace("`?", "`[?]")):
        peer.parse_peer(text, "peer.toml")


def runner(folder, links, kind="peer"):
    source = folder / links / "stage.cpp"
    source.parent.mkdir(exist_ok=True)
    source.write_text(f"// A library.\n// links: {links}\n")
    return Runner.of(Program("xtea", kind, f"xtea-{links}", LOW, "gcc", False, folder, folder, [], source))


def test_versions_are_those_that_pkg_config_says(tmp_path, monkeypatch):
    def run(command, **_):
        known = command[-1] == "botan"
        return subprocess.CompletedProcess(command, 0 if known else 1, "2.19.3\n" if known else "", "")

    monkeypatch.setattr(library_versions.subprocess, "run", run)
    several = [runner(tmp_path, "botan"), runner(tmp_path, "unheard-of")]
    assert library_versions.versions(several) == {"botan": "2.19.3"}


def test_a_version_is_not_known_without_pkg_config_or_the_library(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(library_versions, "_TOLD_BY", {"none": "get_version"})
    assert library_versions.versions([runner(tmp_path, "botan"), runner(tmp_path, "none")]) == {}


def test_a_library_may_say_its_version_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(library_versions, "_TOLD_BY", {"c": "gnu_get_libc_version"})
    assert library_versions.versions([runner(tmp_path, "c")])["c"].startswith("2.")


def test_the_file_of_a_library_may_have_the_version(tmp_path, monkeypatch):
    monkeypatch.setattr(library_versions.ctypes.util, "find_library", "lib{}.so.1.81.0".format)
    assert library_versions.versions([runner(tmp_path, "boost_json")]) == {"boost_json": "1.81.0"}


def test_what_an_adapter_takes_may_be_known_from_another_machine(monkeypatch):
    told(monkeypatch, botan='interface = "It is big-endian."\n' + EQUAL, cryptopp=EQUAL)
    other = alone(50, 5)
    other.measurement.machine = msgspec.structs.replace(other.measurement.machine, cpu="Another CPU")
    page = re.sub(r"\[\d+\.\d, \d+\.\d\]", "[...]", export.page([analysed(sample()), other]))
    takes = "its adapter alone takes 4.0 % [...] (`message`) to 40.0 % [...] (`short`) of its time."
    assert f"| It is big-endian. On Another CPU (1/2/3) {takes} |" in page
    assert "What the adapters themselves take was not timed: cryptopp." in page
