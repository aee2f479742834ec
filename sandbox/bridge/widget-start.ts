import { check, requireElement, setBusy, showFailure, tellProblem } from './widget-forms'
import { askForLink } from './widget-link'
import { filterBanks, pickBank, showResult, showStep } from './widget-steps'
import { type Say, talkTo } from './widget-talk'

export async function linkAccount(form: HTMLFormElement, choice: object, say: Say): Promise<void> {
  if (form.hasAttribute('data-busy')) return
  if (!requireElement('[data-failure]', form).hidden) say('on-retry')
  showFailure(form, '')
  setBusy(form, true)
  const answer = await askForLink(new URLSearchParams(location.search).get('token') ?? '', choice)
  setBusy(form, false, !answer.linked && answer.again)
  if (answer.linked) {
    const { data } = answer.success
    say('on-paykey', answer.success)
    if (data.status !== 'rejected') say('on-success', answer.success)
    showResult(data)
    return
  }
  say('error', { status: answer.status, message: answer.message })
  const blamed = answer.items.flatMap(({ reference, detail }) => {
    const input = form.querySelector<HTMLInputElement>(`input#${CSS.escape(reference)}`)
    return input ? [{ input, detail }] : []
  })
  for (const { input, detail } of blamed) tellProblem(input, detail)
  if (blamed.length === 0) showFailure(form, answer.message)
  blamed[0]?.input.focus()
}

export function addListeners(say: Say): void {
  const acts: Record<string, () => void> = {
    close: () => {
      say('on-close')
      showStep('closed')
    },
    done: () => {
      say('on-success-cta-clicked')
      showStep('closed')
    },
    again: () => {
      say('on-retry')
      showStep('banks')
    },
  }
  const sends: Record<string, (form: HTMLFormElement, fields: FormData) => void> = {
    'sign-in': (form) => {
      form.reset()
      showStep('accounts')
    },
    accounts: (form, fields) => {
      const bank = requireElement('[data-accounts]:not([hidden])', form).dataset.accounts ?? ''
      void linkAccount(form, { way: 'bank', bank, account: fields.get(`account-${bank}`) }, say)
    },
    typed: (form, fields) => void linkAccount(form, { way: 'typed', ...Object.fromEntries(fields) }, say),
  }
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const { act, go, bank } = button?.dataset ?? {}
    acts[act ?? '']?.()
    if (go === 'typed') say('on-manual-entry')
    if (go) showStep(go)
    if (bank) pickBank(bank)
  })
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    const { target: form } = event
    if (form instanceof HTMLFormElement && check(form)) sends[form.dataset.form ?? '']?.(form, new FormData(form))
  })
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    if (target.hasAttribute('data-search')) filterBanks(target.value)
    if (target.hasAttribute('aria-invalid')) tellProblem(target, '')
  })
}

export function startWidget(): void {
  const { origin = '', refused, message = '' } = document.body.dataset
  const greet = () => {
    if (refused) say('error', { status: Number(refused), message })
    else say('initialized')
  }
  const say = talkTo(origin, (name) => {
    if (name === 'initialize') greet()
    if (name === 'ping' && !refused) say('mounted')
  })
  say('initializing')
  requireElement('[data-alone]').hidden = window.parent !== window
  addListeners(say)
  greet()
  if (!refused) say('mounted')
}
