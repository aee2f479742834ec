import { isInvalid, requireElement, setBusy, showFailure, showFieldError, validateForm } from './widget-forms'
import { requestLink } from './widget-link'
import { openMessageChannel } from './widget-messages'
import { addListeners, linkAccount, startWidget } from './widget-start'
import { filterBanks, pickBank, showResult, showStep } from './widget-steps'

/**
 * Functions of the hosted page's script; the script calls the first. They are in files of their own, so that they are type-checked and
 * linted. They may use only each other and browser APIs, because only their source text is served. The bundler renames a function and its
 * calls together.
 */
const functions = [
  ...[startWidget, addListeners, linkAccount, openMessageChannel, requestLink],
  ...[showStep, pickBank, filterBanks, showResult, requireElement, validateForm, isInvalid, showFieldError, showFailure, setBusy],
]

export const bridgeScript = `'use strict'\n${functions.map(String).join('\n')}\n${startWidget.name}()\n`
