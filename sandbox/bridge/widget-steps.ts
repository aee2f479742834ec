import { requireElement } from './widget-forms'

/** Shows one step and hides the others. Focuses the step's heading, so that a screen reader starts there. Runs in the browser. */
export function showStep(name: string): void {
  for (const step of document.querySelectorAll<HTMLElement>('[data-step]')) step.hidden = step.dataset.step !== name
  const heading = requireElement(`[data-step="${name}"] h1`)
  document.title = `${heading.textContent} · Bank connection`
  requireElement('[data-act=close]').hidden = name === 'closed'
  window.scrollTo(0, 0)
  heading.focus()
}

export function pickBank(routing: string): void {
  for (const accounts of document.querySelectorAll<HTMLFieldSetElement>('[data-accounts]')) {
    const isChosen = accounts.dataset.accounts === routing
    accounts.hidden = !isChosen
    accounts.disabled = !isChosen
    if (!isChosen) continue
    for (const name of document.querySelectorAll('[data-bank-name]')) name.textContent = accounts.dataset.name ?? ''
  }
  showStep('sign-in')
}

export function filterBanks(text: string): void {
  const searchText = text.trim().toLowerCase()
  let count = 0
  for (const bank of document.querySelectorAll<HTMLElement>('[data-bank]')) {
    const isMatch = (bank.textContent ?? '').toLowerCase().includes(searchText)
    bank.closest('li')?.toggleAttribute('hidden', !isMatch)
    if (isMatch) count++
  }
  requireElement('[data-none]').hidden = count > 0
  requireElement('[data-status]').textContent = count === 1 ? '1 bank' : `${count} banks`
}

export function showResult({ label, status }: { label: string; status: string }): void {
  requireElement(`[data-step="${status}"] [data-account]`).textContent = label
  showStep(status)
}
