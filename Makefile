# Hands its words on: `make run-stage 6 PRESET=clang` is `./ladders run-stage 6 --preset clang`. `make help` lists all.
# Python checks the words, builds, and says what is wrong.
SHELL := bash
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help

verb := $(or $(firstword $(MAKECMDGOALS)),help)
others := $(filter-out $(verb),$(MAKECMDGOALS))
options := $(foreach v,$(.VARIABLES),$(if $(findstring command line,$(origin $v)),$v))

# After a file that does not pass, `watch` has said all. A recipe that fails would end make with 2 and a line of its own.
# SIGQUIT ends make with 1 and no line, where it catches the signal (not behind `&`) and before the recipe ends.
.PHONY: $(verb) $(others)
$(verb):
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL ./ladders --make $(or $(MAKECMDGOALS),help) \
	  $(foreach v,$(options),'$v=$(subst ','\'',$(value $v))'); \
	  code=$$?; make=/proc/$$PPID/status; \
	  [ "$(verb) $$code" = 'watch 1' ] && grep -q '^SigCgt:.*[4-7c-f]$$' $$make || exit $$code; \
	  kill -QUIT $$PPID; until grep -q '^ShdPnd:\s*0*$$' $$make; do sleep 0.01; done

# make takes every word for a goal; these were handed on with the first.
$(others): $(verb)
	@:
