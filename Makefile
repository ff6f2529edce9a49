# Hands its words on: `make run-stage 6 PRESET=clang` is `./ladders run-stage 6 --preset clang`. `make help` lists all.
# Python checks the words, builds, and says what is wrong.
SHELL := bash
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help

verb := $(or $(firstword $(MAKECMDGOALS)),help)
others := $(filter-out $(verb),$(MAKECMDGOALS))
options := $(foreach v,$(.VARIABLES),$(if $(findstring command line,$(origin $v)),$v))

# After a file that does not pass the command has said all. A broken pipe is the one end of make about which neither make
# nor the shell adds a line.
.PHONY: $(verb) $(others)
$(verb):
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL ./ladders --make $(or $(MAKECMDGOALS),help) \
	  $(foreach v,$(options),'$v=$(subst ','\'',$(value $v))'); \
	  code=$$?; [ "$(verb) $$code" != 'watch 1' ] || kill -PIPE $$PPID; exit $$code

# make takes every word for a goal; these were handed on with the first.
$(others): $(verb)
	@:
