/** The one element a selector names. Throws when the page has none, which would be a mistake in the page. Runs in the browser. */
export function part<E extends HTMLElement = HTMLElement>(selector: string, inside: ParentNode = document): E {
  const found = inside.querySelector<E>(selector)
  if (!found) throw new Error(`the page has no ${selector}`)
  return found
}

/** Says at a field what is wrong with it; an empty text takes that back. Runs in the browser. */
export function tellProblem(input: HTMLInputElement, detail: string): void {
  const error = part(`#${input.id}-error`)
  error.textContent = detail && `${input.dataset.name ?? ''} ${detail}.`
  error.hidden = detail === ''
  if (detail === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}

/** Whether a field's text breaks its rule. Space around it does not count. Runs in the browser. */
export function missing(input: HTMLInputElement): boolean {
  if (input.type !== 'password') input.value = input.value.trim()
  return !input.validity.valid
}

/** Holds every field of a form against its rule and goes to the first that breaks it. True when all are well. Runs in the browser. */
export function check(form: HTMLFormElement): boolean {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[data-wrong]')]
  for (const input of inputs) tellProblem(input, missing(input) ? (input.dataset.wrong ?? '') : '')
  const first = inputs.find((input) => input.hasAttribute('aria-invalid'))
  first?.focus()
  return first === undefined
}

/** Says above a form's button why it could not be sent; an empty text takes that back. Runs in the browser. */
export function showFailure(form: HTMLFormElement, message: string): void {
  const failure = part('[data-failure]', form)
  failure.textContent = message
  failure.hidden = message === ''
}

/** While a form is on its way its button waits, and does not lose the focus as a disabled one would. Runs in the browser. */
export function setBusy(form: HTMLFormElement, busy: boolean, again = false): void {
  const button = part('button[type=submit]', form)
  form.toggleAttribute('data-busy', busy)
  button.setAttribute('aria-disabled', String(busy))
  button.textContent = busy ? 'One moment…' : again ? 'Try again' : (button.dataset.label ?? '')
  part('[data-status]').textContent = busy ? 'Asking the bank. One moment.' : ''
}
