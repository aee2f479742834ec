import {
  isInvalid,
  requireElement,
  setBusy,
  showFailure,
  showFieldError,
  validateForm,
} from './widget-forms'
import { requestAccountLink } from './widget-link'
import { openMessageChannel } from './widget-messages'
import { addWidgetListeners, linkAccount, startWidget } from './widget-start'
import { filterBanks, pickBank, showResult, showStep } from './widget-steps'

/**
 * Functions whose source text is the script of the hosted page. The script calls the first one.
 * They are ordinary functions, so that they are type-checked and linted. They may use only each
 * other and browser APIs, because nothing else is in the script. If the bundler renames one, it
 * renames its calls too.
 */
const pageScriptFunctions = [
  ...[startWidget, addWidgetListeners, linkAccount, openMessageChannel, requestAccountLink],
  ...[
    showStep,
    pickBank,
    filterBanks,
    showResult,
    requireElement,
    validateForm,
    isInvalid,
    showFieldError,
    showFailure,
    setBusy,
  ],
]

export const bridgeScript = `'use strict'\n${pageScriptFunctions.map(String).join('\n')}\n${startWidget.name}()\n`
