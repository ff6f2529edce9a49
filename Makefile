# The face of perf-ladders. Everything behind it is CMake (CMakePresets.json) and Python (scripts/perf_ladders).
SHELL := bash
.DEFAULT_GOAL := help

goals := help setup build test report report-check run-stage diff-stage profile tags tags-check self-check
goals += exercise watch hint reveal next reset scoreboard exercise-check slides kit lint clean doctor
options := CASE PRESET QUICK LEVEL BLOCKS SWEEP_BLOCKS MERGE WHO RUNG FILES ONCE STAGES
presets := $(shell sed -n 's/.*"configurePreset": "\([a-z-]*\)".*/\1/p' CMakePresets.json | sort -u)
cases := $(patsubst stages/%/case.toml,%,$(wildcard stages/*/case.toml))
stages := $(foreach dir,$(wildcard stages/*/[0-9][0-9]-*/.),$(word 2,$(subst /, ,$(dir)))-$(firstword $(subst -, ,$(word 3,$(subst /, ,$(dir))))))
PRESET ?= gcc

# --- Every word is looked at before anything runs. ---
verb := $(firstword $(MAKECMDGOALS))
words := $(wordlist 2,99,$(MAKECMDGOALS))
comma := ,
belongs_to_WHO := exercise
belongs_to_RUNG := exercise
belongs_to_FILES := scoreboard
belongs_to_ONCE := watch
belongs_to_STAGES := slides

suggest = $(shell python3 -c 'import difflib, sys; w, known = sys.argv[1], sys.argv[2:]; m = difflib.get_close_matches(w, known, 1) or difflib.get_close_matches(w.upper(), known, 1); print(f" Did you mean `{m[0]}`?" if m else "")' '$1' $2 2>/dev/null)

unknown_options := $(filter-out $(options),$(foreach v,$(.VARIABLES),$(if $(findstring command,$(origin $v)),$v)))
$(if $(unknown_options),$(error There is no option '$(firstword $(unknown_options))'.$(call suggest,$(firstword $(unknown_options)),$(options)) There are: $(options)))
$(foreach p,$(PRESET),$(if $(filter $p,$(presets)),,$(error There is no preset '$p'; there are: $(presets))))
levels := $(shell sed -n 's/^set.flags_of_\([^ ]*\) .*/\1/p' common/cmake/Levels.cmake)
$(foreach l,$(LEVEL),$(if $(filter $l,$(levels)),,$(error There is no level '$l'; there are: $(levels))))
$(if $(filter-out 1,$(QUICK)),$(error QUICK=1 asks for a quick look; leave QUICK out for a full measurement))
$(foreach o,BLOCKS SWEEP_BLOCKS,$(if $($o),$(if $(shell [[ '$($o)' =~ ^[1-9][0-9]{0,3}$$ ]] && echo good),,$(error $o takes a number of 1 or more, not '$($o)'))))
$(if $(filter report run-stage profile self-check,$(verb)),$(if $(filter sanitize%,$(PRESET)),$(error The preset $(PRESET) is for tests: its times mean nothing)))
$(if $(filter self-check,$(verb)),$(if $(or $(CASE)$(LEVEL)$(BLOCKS)$(SWEEP_BLOCKS),$(word 2,$(PRESET))),$(error make self-check takes QUICK=1 and one PRESET, nothing else)))
$(if $(MERGE),$(if $(filter report,$(verb)),,$(error MERGE belongs to make report))$(if $(word 2,$(MERGE)),,$(error MERGE names two results or more: make report MERGE="a.json b.json")))
$(foreach o,WHO RUNG FILES ONCE STAGES,$(if $($o),$(if $(filter $(belongs_to_$o),$(verb)),,$(error $o belongs to make $(belongs_to_$o)))))
$(if $(filter watch hint reveal next reset,$(verb)),$(foreach o,CASE LEVEL PRESET,$(if $(findstring command,$(origin $o)),$(error $o belongs to make exercise, which begins or takes up again the ladder that make $(verb) is of: make exercise CASE=xtea))))
$(if $(filter-out 1,$(ONCE)),$(error ONCE=1 judges the file once; leave ONCE out to go on))
$(if $(filter scoreboard,$(verb)),$(if $(FILES),,$(error FILES names what was handed in: make scoreboard FILES="ada.json bob.json")))
$(if $(filter exercise exercise-check,$(verb)),$(if $(word 2,$(PRESET)),$(error An exercise has one PRESET)))
$(foreach d,$(filter-out $(cases),$(patsubst stages/%/.,%,$(wildcard stages/*/.))),$(if $(filter $d $d-%,$(CASE) $(words)),$(error stages/$d/case.toml is missing; docs/adding-a-case.md shows what stands in it)))
$(if $(CASE),$(if $(filter $(CASE),$(cases) all),,$(error There is no case '$(CASE)'; there are: $(cases) all)))

ifneq ($(filter run-stage diff-stage profile,$(verb)),)
  ifneq ($(words $(words)),1)
    $(error Name one stage: make $(verb) 4, or make $(verb) xtea-04)
  endif
  # 4, 04 or xtea-04, as the name it stands for
  case := $(or $(filter-out all,$(CASE)),xtea)
  stage := $(filter $(words) $(case)-$(words) $(case)-0$(words) $(foreach c,$(cases),$(patsubst $c-%,$c-0%,$(words))),$(stages))
  ifeq ($(stage),)
    # of the case that the word begins with
    near := $(or $(strip $(foreach c,$(cases),$(if $(filter $c $c-%,$(words)),$(filter $c-%,$(stages))))),$(filter $(case)-%,$(stages)))
    $(error There is no stage '$(words)'.$(call suggest,$(words),$(stages)) There are: $(sort $(near))$(if $(word 2,$(cases)), and those of CASE=$(subst $() ,|,$(filter-out $(firstword $(subst -, ,$(near))),$(cases)))))
  endif
# make takes the word for a goal: give it one, which does nothing
.PHONY: $(words)
$(words): ; @:
else
  $(if $(filter run-stage diff-stage profile,$(words)),$(error run-stage, diff-stage and profile stand first and alone: make run-stage 4))
  $(foreach word,$(MAKECMDGOALS),$(if $(filter $(word),$(goals)),,$(error There is no '$(word)'.$(if $(filter $(word),$(cases)), Did you mean `make $(if $(filter $(verb),$(goals)),$(verb),report) CASE=$(word)`?,$(if $(and $(filter $(verb),$(word)),$(filter $(word) xtea-$(word) xtea-0$(word),$(stages))), Did you mean `make run-stage $(word)`?,$(call suggest,$(word),$(goals)))) There are: $(goals))))
endif

# What is built: everything, or no more than the words name: a case, or a stage and what it is compared with.
one_case := $(filter-out all,$(CASE))
ifeq ($(verb)$(CASE),report)
  one_case := xtea
endif
ifeq ($(verb),self-check)
  one_case := self-check
endif

.PHONY: $(goals)

help:
	@echo 'make report [CASE=xtea]   measure a ladder and write reports/local/index.html'
	@echo '                          without CASE: XTEA, a quick look; CASE=all: everything'
	@echo 'make test                 build everything and run every test; CASE=xtea: of one'
	@echo 'make run-stage xtea-06    what a stage did, on one page (also: run-stage 6)'
	@echo 'make profile xtea-06      where its time goes: callgrind, perf, llvm-mca'
	@echo 'make diff-stage xtea-06   the change from the stage it builds on'
	@echo 'git checkout xtea-03      the tree up to a stage; git log -p lecture/xtea'
	@echo 'make tags                 makes these anew, as set-up did at first'
	@echo 'make exercise CASE=xtea   climb a ladder yourself; then make watch'
	@echo 'make hint, reveal, next, reset      while you climb'
	@echo 'make scoreboard FILES="a.json b.json"   what learners handed in'
	@echo 'make exercise-check       is each rung neither given away nor out of reach?'
	@echo 'make self-check           how often this method errs here, and the usual one'
	@echo 'make report MERGE="a.json b.json"   results of several machines side by side'
	@echo 'make report-check         what of the reference report is older than the tree?'
	@echo 'make slides [CASE=xtea]   slides and worksheet of a lecture (docs/workshop);'
	@echo '                          STAGES="0 1 4": of these stages alone'
	@echo 'make kit                  one archive to set up laptops without a network'
	@echo 'make doctor               what this machine can do, and what would mend it'
	@echo 'make setup, build, lint, clean'
	@echo
	@echo 'CASE:    $(cases) all'
	@echo 'PRESET:  $(presets)'
	@echo 'Options: QUICK=1 (fewer blocks)  BLOCKS=30  SWEEP_BLOCKS=10  LEVEL=x86-64-v3'
	@echo '         make exercise: RUNG=6  WHO="your name"      make watch: ONCE=1'
	@echo 'All but doctor, clean and help set up first what they need.'

doctor:
	@scripts/doctor.sh

setup:
	@scripts/setup.sh $(PRESET)

# The sentence of an error alone, which CMake wraps and hides among others; all of it, where there is none.
define say_why
said=$$(sed -n '/^CMake Error/,/^\(Call Stack\|-- \|$$\)/s/^  //p' $$log | paste -sd' '); \
if [ -n "$$said" ]; then echo "$$said (all that CMake says: $$log)"; else cat $$log; fi >&2
endef

# A compiler that is found at another place makes CMake forget what the preset says: then it begins afresh. What watches
# a learner's file in another terminal builds here, too: one after the other.
build: setup
	@mkdir -p build
	@for preset in $(PRESET); do \
	  log=build/$$preset.configure.log; one_at_a_time="flock build/$$preset.lock"; \
	  $$one_at_a_time cmake --preset $$preset > $$log 2>&1 || { $(say_why); exit 2; }; \
	  if grep -q 'require your cache to be deleted' $$log; then \
	    $$one_at_a_time cmake --fresh --preset $$preset > $$log 2>&1 || { $(say_why); exit 2; }; \
	  fi; \
	  sed -n 's/^-- \(Not built: .*\)/\1 (make doctor)/p; s/^-- \(Left out: .* is not installed\)$$/\1/p' $$log; \
	  echo "Building with preset $$preset ..."; \
	  $$one_at_a_time cmake --build --preset $$preset $(addprefix --target ,$(or $(stage),$(one_case))) || exit 2; \
	done
	@ln -sf build/$(firstword $(PRESET))/compile_commands.json compile_commands.json

test: build
	@$(if $(one_case),$(ladders) words --case $(one_case) --preset $(firstword $(PRESET)))
	@for preset in $(PRESET); do ctest --preset $$preset $(patsubst %,--tests-regex '^%-',$(one_case)) || exit 1; done

ladders := PYTHONPATH=scripts .venv/bin/python -m perf_ladders
measuring := $(foreach p,$(PRESET),--preset $p) $(foreach l,$(LEVEL),--level $l) $(if $(QUICK),--quick) $(if $(BLOCKS),--blocks $(BLOCKS))

ifneq ($(MERGE),)
report: setup
	@$(ladders) merge $(MERGE)
else
report: build
	@$(ladders) report $(if $(CASE),--case $(CASE),--case xtea --quick) $(measuring) $(if $(SWEEP_BLOCKS),--sweep-blocks $(SWEEP_BLOCKS))
endif

report-check: setup
	@$(ladders) report-check

run-stage: build
	@$(ladders) run-stage $(stage) $(measuring)

profile: build
	@$(ladders) profile $(stage) $(foreach p,$(PRESET),--preset $p) $(foreach l,$(LEVEL),--level $l)

self-check: build
	@$(ladders) self-check --preset $(PRESET) $(if $(QUICK),--quick)

diff-stage: setup
	@$(ladders) diff-stage $(stage)

exercise: setup
	@$(ladders) exercise $(if $(CASE),--case $(CASE)) $(foreach p,$(PRESET),--preset $p) $(foreach l,$(LEVEL),--level $l) $(if $(RUNG),--rung '$(subst ','\'',$(RUNG))') $(if $(WHO),--who '$(subst ','\'',$(WHO))')

watch: setup
	@$(ladders) watch $(if $(ONCE),--once) $(if $(BLOCKS),--blocks $(BLOCKS))

hint reveal next reset: setup
	@$(ladders) $@

scoreboard: setup
	@$(ladders) scoreboard $(FILES)

exercise-check: setup
	@$(ladders) exercise-check $(if $(CASE),--case $(CASE)) $(foreach p,$(PRESET),--preset $p) $(foreach l,$(LEVEL),--level $l) $(if $(BLOCKS),--blocks $(BLOCKS))

tags: setup
	@$(ladders) tags

tags-check: setup
	@$(ladders) tags-check

slides: setup
	@$(ladders) slides $(if $(CASE),--case $(CASE)) $(foreach s,$(STAGES),--stage '$(subst ','\'',$s)')

kit: setup
	@$(ladders) kit $(foreach p,$(PRESET),--preset $p)

lint: setup
	@.venv/bin/ruff check scripts tests && .venv/bin/ruff format --check scripts tests && .venv/bin/mypy

clean:
	rm -rf build
