/** Throws if no element matches, because that is a bug in the page. Runs in the browser. */
export function requireElement<E extends HTMLElement = HTMLElement>(
  selector: string,
  inside: ParentNode = document,
): E {
  const element = inside.querySelector<E>(selector)
  if (!element) throw new Error(`the page has no ${selector}`)
  return element
}

export function showFieldError(input: HTMLInputElement, detail: string): void {
  const errorElement = requireElement(`#${input.id}-error`)
  errorElement.textContent = detail && `${input.dataset.name ?? ''} ${detail}.`
  errorElement.hidden = detail === ''
  if (detail === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}

export function isInvalid(input: HTMLInputElement): boolean {
  if (input.type !== 'password') input.value = input.value.trim()
  return !input.validity.valid
}

export function validateForm(form: HTMLFormElement): boolean {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[data-wrong]')]
  for (const input of inputs)
    showFieldError(input, isInvalid(input) ? (input.dataset.wrong ?? '') : '')
  const firstInvalidInput = inputs.find((input) => input.hasAttribute('aria-invalid'))
  firstInvalidInput?.focus()
  return firstInvalidInput === undefined
}

export function showFailure(form: HTMLFormElement, message: string): void {
  const failureElement = requireElement('[data-failure]', form)
  failureElement.textContent = message
  failureElement.hidden = message === ''
}

/** Uses `aria-disabled`, because a `disabled` button loses the focus. Runs in the browser. */
export function setBusy(form: HTMLFormElement, isBusy: boolean, isRetry = false): void {
  const button = requireElement('button[type=submit]', form)
  form.toggleAttribute('data-busy', isBusy)
  button.setAttribute('aria-disabled', String(isBusy))
  button.textContent = isBusy ? 'One moment…' : isRetry ? 'Try again' : (button.dataset.label ?? '')
  requireElement('[data-status]').textContent = isBusy ? 'Asking the bank. One moment.' : ''
}
