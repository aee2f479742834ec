import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Combobox, type ComboboxOption } from './combobox'

afterEach(cleanup)

const onChoose = vi.fn<(key: string) => void>()
afterEach(() => onChoose.mockReset())

const buildOption = (key: string, overrides: Partial<ComboboxOption> = {}): ComboboxOption => ({
  key,
  group: 'Customers',
  body: `The ${key}`,
  onChoose: () => onChoose(key),
  ...overrides,
})

const threeOptions = [buildOption('first'), buildOption('second'), buildOption('third')]

function Picker({ options }: { options: readonly ComboboxOption[] }) {
  const [text, setText] = useState('')
  return (
    <Combobox
      label="Find a customer"
      hint="By name"
      error="choose one"
      listLabel="Customers"
      text={text}
      onText={setText}
      options={options}
      status={`${options.length} found`}
    />
  )
}

const getField = () => screen.getByRole('combobox', { name: 'Find a customer' })
const pressKey = (key: string, eventInit: object = {}) =>
  fireEvent.keyDown(getField(), { key, ...eventInit })
const getHighlightedText = () => screen.queryByRole('option', { selected: true })?.textContent
const isOpen = () => getField().getAttribute('aria-expanded') === 'true'
const renderPicker = (options: readonly ComboboxOption[] = threeOptions) => {
  const { rerender } = render(<Picker options={options} />)
  getField().focus()
  return (next: readonly ComboboxOption[]) => rerender(<Picker options={next} />)
}

test('the field references its list, its hint, its error and the highlighted option', () => {
  renderPicker()
  const descriptionTexts = (getField().getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(descriptionTexts).toEqual(['By name', 'choose one'])
  expect(getField().getAttribute('aria-invalid')).toBe('true')
  expect(isOpen()).toBe(false)
  pressKey('ArrowDown')
  expect(isOpen()).toBe(true)
  expect(document.getElementById(getField().getAttribute('aria-controls') ?? '')).toBe(
    screen.getByRole('listbox', { name: 'Customers' }),
  )
  expect(
    document.getElementById(getField().getAttribute('aria-activedescendant') ?? '')?.textContent,
  ).toBe('The first')
  expect(
    screen.getByRole('group', { name: 'Customers' }).contains(screen.getByText('The third')),
  ).toBe(true)
  expect(screen.getByRole('status').textContent).toBe('3 found')
})

test('arrows, Home and End move through the list, and Enter chooses an option', () => {
  renderPicker()
  pressKey('ArrowDown')
  pressKey('ArrowUp')
  expect(getHighlightedText()).toBe('The third')
  pressKey('Home')
  expect(getHighlightedText()).toBe('The first')
  pressKey('End')
  expect(getHighlightedText()).toBe('The third')
  pressKey('Enter')
  expect(onChoose.mock.calls).toEqual([['third']])
  expect(isOpen()).toBe(false)
})

test('typing opens the list without a highlight, so Enter chooses nothing', () => {
  renderPicker()
  fireEvent.change(getField(), { target: { value: 'ada' } })
  expect(isOpen()).toBe(true)
  expect(getHighlightedText()).toBeUndefined()
  pressKey('Enter')
  expect(onChoose).not.toHaveBeenCalled()
  expect(isOpen()).toBe(true)
})

test('the highlight follows its option when the list changes, and disappears with it', () => {
  const rerenderOptions = renderPicker()
  pressKey('ArrowDown')
  rerenderOptions([buildOption('new'), ...threeOptions])
  expect(getHighlightedText()).toBe('The first')
  rerenderOptions([buildOption('new'), buildOption('second')])
  expect(getHighlightedText()).toBeUndefined()
  pressKey('Enter')
  expect(onChoose).not.toHaveBeenCalled()
})

test('a disabled option can be highlighted and shows the reason, but cannot be chosen', () => {
  renderPicker([buildOption('first', { disabledReason: 'Blocked: it cannot be used.' })])
  pressKey('ArrowDown')
  expect(getHighlightedText()).toBe('The firstBlocked: it cannot be used.')
  pressKey('Enter')
  fireEvent.click(screen.getByRole('option'))
  expect(onChoose).not.toHaveBeenCalled()
  expect(isOpen()).toBe(true)
  expect(screen.getByRole('option').getAttribute('aria-disabled')).toBe('true')
})

test('choosing an option that leads on keeps the list open', () => {
  renderPicker([buildOption('first', { leadsOn: true })])
  pressKey('ArrowDown')
  pressKey('Enter')
  expect(onChoose).toHaveBeenCalledOnce()
  expect(isOpen()).toBe(true)
})

test('blur chooses nothing, and a list that loads later stays closed', () => {
  const rerenderPicker = renderPicker()
  pressKey('ArrowDown')
  fireEvent.blur(getField())
  expect(onChoose).not.toHaveBeenCalled()
  expect(isOpen()).toBe(false)
  rerenderPicker([])
  fireEvent.change(getField(), { target: { value: 'ada' } })
  fireEvent.blur(getField())
  rerenderPicker(threeOptions)
  expect(isOpen()).toBe(false)
})

test('the first Escape closes only the list, and the text stays', () => {
  const outsideKeyHandler = vi.fn<(event: KeyboardEvent) => void>()
  window.addEventListener('keydown', outsideKeyHandler)
  renderPicker()
  fireEvent.change(getField(), { target: { value: 'ada' } })
  pressKey('Escape')
  expect(isOpen()).toBe(false)
  expect((getField() as HTMLInputElement).value).toBe('ada')
  expect(outsideKeyHandler.mock.calls.at(-1)?.[0].defaultPrevented).toBe(true)
  pressKey('Escape')
  expect(outsideKeyHandler.mock.calls.at(-1)?.[0].defaultPrevented).toBe(false)
  window.removeEventListener('keydown', outsideKeyHandler)
})

test('Ctrl+Enter goes to the form, and Enter during composition chooses nothing', () => {
  renderPicker()
  pressKey('ArrowDown')
  pressKey('Enter', { ctrlKey: true })
  pressKey('Enter', { isComposing: true })
  expect(onChoose).not.toHaveBeenCalled()
  expect(isOpen()).toBe(true)
})

/**
 * Presses keys in quick succession. Between two keys, React has time only for its synchronous work.
 */
async function pressFast(...keys: string[]): Promise<void> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  for (const key of keys) {
    getField().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    await Promise.resolve()
  }
  await vi.waitFor(() => expect(onChoose).toHaveBeenCalled())
  vi.unstubAllGlobals()
}

test('Enter directly after arrow keys chooses the option they reached', async () => {
  renderPicker()
  pressKey('ArrowDown')
  await pressFast('ArrowDown', 'ArrowDown', 'Enter')
  expect(onChoose.mock.calls).toEqual([['third']])
})
