import { requireElement } from './widget-forms'

/** Focuses the heading, so that a screen reader starts there. Runs in the browser. */
export function showStep(name: string): void {
  for (const step of document.querySelectorAll<HTMLElement>('[data-step]'))
    step.hidden = step.dataset.step !== name
  const heading = requireElement(`[data-step="${name}"] h1`)
  document.title = `${heading.textContent} · Bank connection`
  requireElement('[data-act=close]').hidden = name === 'closed'
  window.scrollTo(0, 0)
  heading.focus()
}

export function pickBank(routingNumber: string): void {
  for (const accountFieldset of document.querySelectorAll<HTMLFieldSetElement>('[data-accounts]')) {
    const isChosen = accountFieldset.dataset.accounts === routingNumber
    accountFieldset.hidden = !isChosen
    accountFieldset.disabled = !isChosen
    if (!isChosen) continue
    for (const nameElement of document.querySelectorAll('[data-bank-name]'))
      nameElement.textContent = accountFieldset.dataset.name ?? ''
  }
  showStep('sign-in')
}

export function filterBanks(text: string): void {
  const searchText = text.trim().toLowerCase()
  let matchCount = 0
  for (const bankButton of document.querySelectorAll<HTMLElement>('[data-bank]')) {
    const isMatch = (bankButton.textContent ?? '').toLowerCase().includes(searchText)
    bankButton.closest('li')?.toggleAttribute('hidden', !isMatch)
    if (isMatch) matchCount++
  }
  requireElement('[data-none]').hidden = matchCount > 0
  requireElement('[data-status]').textContent = matchCount === 1 ? '1 bank' : `${matchCount} banks`
}

export function showResult({ label, status }: { label: string; status: string }): void {
  requireElement(`[data-step="${status}"] [data-account]`).textContent = label
  showStep(status)
}
