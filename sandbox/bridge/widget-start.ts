import { requireElement, setBusy, showFailure, showFieldError, validateForm } from './widget-forms'
import { requestAccountLink } from './widget-link'
import { openMessageChannel, type SendMessage } from './widget-messages'
import { filterBanks, pickBank, showResult, showStep } from './widget-steps'

export async function linkAccount(
  form: HTMLFormElement,
  choice: object,
  sendMessage: SendMessage,
): Promise<void> {
  if (form.hasAttribute('data-busy')) return
  if (!requireElement('[data-failure]', form).hidden) sendMessage('on-retry')
  showFailure(form, '')
  setBusy(form, true)
  const linkResult = await requestAccountLink(
    new URLSearchParams(location.search).get('token') ?? '',
    choice,
  )
  setBusy(form, false, !linkResult.linked && linkResult.again)
  if (linkResult.linked) {
    const { data } = linkResult.success
    sendMessage('on-paykey', linkResult.success)
    if (data.status !== 'rejected') sendMessage('on-success', linkResult.success)
    showResult(data)
    return
  }
  sendMessage('error', { status: linkResult.status, message: linkResult.message })
  const invalidFields = linkResult.items.flatMap(({ reference, detail }) => {
    const input = form.querySelector<HTMLInputElement>(`input#${CSS.escape(reference)}`)
    return input ? [{ input, detail }] : []
  })
  for (const { input, detail } of invalidFields) showFieldError(input, detail)
  if (invalidFields.length === 0) showFailure(form, linkResult.message)
  invalidFields[0]?.input.focus()
}

export function addWidgetListeners(sendMessage: SendMessage): void {
  const clickActions: Record<string, () => void> = {
    close: () => {
      sendMessage('on-close')
      showStep('closed')
    },
    done: () => {
      sendMessage('on-success-cta-clicked')
      showStep('closed')
    },
    again: () => {
      sendMessage('on-retry')
      showStep('banks')
    },
  }
  const submitHandlers: Record<string, (form: HTMLFormElement, fields: FormData) => void> = {
    'sign-in': (form) => {
      form.reset()
      showStep('accounts')
    },
    accounts: (form, fields) => {
      const bankRoutingNumber =
        requireElement('[data-accounts]:not([hidden])', form).dataset.accounts ?? ''
      void linkAccount(
        form,
        {
          way: 'bank',
          bank: bankRoutingNumber,
          account: fields.get(`account-${bankRoutingNumber}`),
        },
        sendMessage,
      )
    },
    typed: (form, fields) =>
      void linkAccount(form, { way: 'typed', ...Object.fromEntries(fields) }, sendMessage),
  }
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const { act, go, bank } = button?.dataset ?? {}
    clickActions[act ?? '']?.()
    if (go === 'typed') sendMessage('on-manual-entry')
    if (go) showStep(go)
    if (bank) pickBank(bank)
  })
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    const { target: form } = event
    if (form instanceof HTMLFormElement && validateForm(form))
      submitHandlers[form.dataset.form ?? '']?.(form, new FormData(form))
  })
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    if (target.hasAttribute('data-search')) filterBanks(target.value)
    if (target.hasAttribute('aria-invalid')) showFieldError(target, '')
  })
}

export function startWidget(): void {
  const { origin = '', refused, message = '' } = document.body.dataset
  const sendInitialState = () => {
    if (refused) sendMessage('error', { status: Number(refused), message })
    else sendMessage('initialized')
  }
  const sendMessage = openMessageChannel(origin, (name) => {
    if (name === 'initialize') sendInitialState()
    if (name === 'ping' && !refused) sendMessage('mounted')
  })
  sendMessage('initializing')
  requireElement('[data-alone]').hidden = window.parent !== window
  addWidgetListeners(sendMessage)
  sendInitialState()
  if (!refused) sendMessage('mounted')
}
