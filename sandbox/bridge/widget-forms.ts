/** Returns the element of a selector. Throws if there is none, which is a bug in the page. Runs in the browser. */
export function requireElement<E extends HTMLElement = HTMLElement>(selector: string, inside: ParentNode = document): E {
  const element = inside.querySelector<E>(selector)
  if (!element) throw new Error(`the page has no ${selector}`)
  return element
}

export function showFieldError(input: HTMLInputElement, detail: string): void {
  const error = requireElement(`#${input.id}-error`)
  error.textContent = detail && `${input.dataset.name ?? ''} ${detail}.`
  error.hidden = detail === ''
  if (detail === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}

export function isInvalid(input: HTMLInputElement): boolean {
  if (input.type !== 'password') input.value = input.value.trim()
  return !input.validity.valid
}

export function validateForm(form: HTMLFormElement): boolean {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[data-wrong]')]
  for (const input of inputs) showFieldError(input, isInvalid(input) ? (input.dataset.wrong ?? '') : '')
  const first = inputs.find((input) => input.hasAttribute('aria-invalid'))
  first?.focus()
  return first === undefined
}

export function showFailure(form: HTMLFormElement, message: string): void {
  const failure = requireElement('[data-failure]', form)
  failure.textContent = message
  failure.hidden = message === ''
}

/** Shows or ends a form's busy state. The button stays focusable, unlike a disabled one. Runs in the browser. */
export function setBusy(form: HTMLFormElement, busy: boolean, isRetry = false): void {
  const button = requireElement('button[type=submit]', form)
  form.toggleAttribute('data-busy', busy)
  button.setAttribute('aria-disabled', String(busy))
  button.textContent = busy ? 'One moment…' : isRetry ? 'Try again' : (button.dataset.label ?? '')
  requireElement('[data-status]').textContent = busy ? 'Asking the bank. One moment.' : ''
}
