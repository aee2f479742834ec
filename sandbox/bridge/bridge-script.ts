import { check, missing, requireElement, setBusy, showFailure, tellProblem } from './widget-forms'
import { askForLink } from './widget-link'
import { addListeners, linkAccount, startWidget } from './widget-start'
import { filterBanks, pickBank, showResult, showStep } from './widget-steps'
import { talkTo } from './widget-talk'

/**
 * Functions of the hosted page's script; the script calls the first. They are in files of their own, so that they are type-checked and
 * linted. They may use only each other and browser APIs, because only their source text is served. The bundler renames a function and its
 * calls together.
 */
const functions = [
  ...[startWidget, addListeners, linkAccount, talkTo, askForLink],
  ...[showStep, pickBank, filterBanks, showResult, requireElement, check, missing, tellProblem, showFailure, setBusy],
]

export const bridgeScript = `'use strict'\n${functions.map(String).join('\n')}\n${startWidget.name}()\n`
