import { check, missing, part, setBusy, showFailure, tellProblem } from './widget-forms'
import { askForLink } from './widget-link'
import { addListeners, linkAccount, startWidget } from './widget-start'
import { filterBanks, pickBank, showResult, showStep } from './widget-steps'
import { talkTo } from './widget-talk'

/**
 * The hosted page's script: these functions as they are in their files, type-checked and linted like all else, and a call of the first. They
 * are declared functions that use each other and the browser and nothing else, because only their own text is served; the bundler renames a
 * function and its calls together.
 */
const functions = [
  ...[startWidget, addListeners, linkAccount, talkTo, askForLink],
  ...[showStep, pickBank, filterBanks, showResult, part, check, missing, tellProblem, showFailure, setBusy],
]

/** What `/bridge/page.js` serves. */
export const bridgeScript = `'use strict'\n${functions.map(String).join('\n')}\n${startWidget.name}()\n`
