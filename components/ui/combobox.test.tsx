import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Combobox, type ComboboxOption } from './combobox'

afterEach(cleanup)

const onChoose = vi.fn<(key: string) => void>()
afterEach(() => onChoose.mockReset())

const option = (key: string, more: Partial<ComboboxOption> = {}): ComboboxOption => ({
  key,
  group: 'Customers',
  body: `The ${key}`,
  onChoose: () => onChoose(key),
  ...more,
})

const three = [option('first'), option('second'), option('third')]

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

const field = () => screen.getByRole('combobox', { name: 'Find a customer' })
const press = (key: string, more: object = {}) => fireEvent.keyDown(field(), { key, ...more })
const getHighlightedText = () => screen.queryByRole('option', { selected: true })?.textContent
const isOpen = () => field().getAttribute('aria-expanded') === 'true'
const draw = (options: readonly ComboboxOption[] = three) => {
  const { rerender } = render(<Picker options={options} />)
  field().focus()
  return (next: readonly ComboboxOption[]) => rerender(<Picker options={next} />)
}

test('the field references its list, its hint, its error and the highlighted option', () => {
  draw()
  const words = (field().getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent)
  expect(words).toEqual(['By name', 'choose one'])
  expect(field().getAttribute('aria-invalid')).toBe('true')
  expect(isOpen()).toBe(false)
  press('ArrowDown')
  expect(isOpen()).toBe(true)
  expect(document.getElementById(field().getAttribute('aria-controls') ?? '')).toBe(screen.getByRole('listbox', { name: 'Customers' }))
  expect(document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent).toBe('The first')
  expect(screen.getByRole('group', { name: 'Customers' }).contains(screen.getByText('The third'))).toBe(true)
  expect(screen.getByRole('status').textContent).toBe('3 found')
})

test('arrows, Home and End move through the list, and Enter chooses an option', () => {
  draw()
  press('ArrowDown')
  press('ArrowUp')
  expect(getHighlightedText()).toBe('The third')
  press('Home')
  expect(getHighlightedText()).toBe('The first')
  press('End')
  expect(getHighlightedText()).toBe('The third')
  press('Enter')
  expect(onChoose.mock.calls).toEqual([['third']])
  expect(isOpen()).toBe(false)
})

test('typing opens the list without a highlight, so Enter chooses nothing', () => {
  draw()
  fireEvent.change(field(), { target: { value: 'ada' } })
  expect(isOpen()).toBe(true)
  expect(getHighlightedText()).toBeUndefined()
  press('Enter')
  expect(onChoose).not.toHaveBeenCalled()
  expect(isOpen()).toBe(true)
})

test('the highlight follows its option when the list changes, and disappears with it', () => {
  const redraw = draw()
  press('ArrowDown')
  redraw([option('new'), ...three])
  expect(getHighlightedText()).toBe('The first')
  redraw([option('new'), option('second')])
  expect(getHighlightedText()).toBeUndefined()
  press('Enter')
  expect(onChoose).not.toHaveBeenCalled()
})

test('a disabled option can be highlighted and shows the reason, but cannot be chosen', () => {
  draw([option('first', { disabledReason: 'Blocked: it cannot be used.' })])
  press('ArrowDown')
  expect(getHighlightedText()).toBe('The firstBlocked: it cannot be used.')
  press('Enter')
  fireEvent.click(screen.getByRole('option'))
  expect(onChoose).not.toHaveBeenCalled()
  expect(isOpen()).toBe(true)
  expect(screen.getByRole('option').getAttribute('aria-disabled')).toBe('true')
})

test('choosing an option that leads on keeps the list open', () => {
  draw([option('first', { leadsOn: true })])
  press('ArrowDown')
  press('Enter')
  expect(onChoose).toHaveBeenCalledOnce()
  expect(isOpen()).toBe(true)
})

test('blur chooses nothing, and a list that loads later stays closed', () => {
  const redraw = draw()
  press('ArrowDown')
  fireEvent.blur(field())
  expect(onChoose).not.toHaveBeenCalled()
  expect(isOpen()).toBe(false)
  redraw([])
  fireEvent.change(field(), { target: { value: 'ada' } })
  fireEvent.blur(field())
  redraw(three)
  expect(isOpen()).toBe(false)
})

test('the first Escape closes only the list, and the text stays', () => {
  const outside = vi.fn<(event: KeyboardEvent) => void>()
  window.addEventListener('keydown', outside)
  draw()
  fireEvent.change(field(), { target: { value: 'ada' } })
  press('Escape')
  expect(isOpen()).toBe(false)
  expect((field() as HTMLInputElement).value).toBe('ada')
  expect(outside.mock.calls.at(-1)?.[0].defaultPrevented).toBe(true)
  press('Escape')
  expect(outside.mock.calls.at(-1)?.[0].defaultPrevented).toBe(false)
  window.removeEventListener('keydown', outside)
})

test('Ctrl+Enter goes to the form, and Enter during composition chooses nothing', () => {
  draw()
  press('ArrowDown')
  press('Enter', { ctrlKey: true })
  press('Enter', { isComposing: true })
  expect(onChoose).not.toHaveBeenCalled()
  expect(isOpen()).toBe(true)
})

/** Dispatches keys in quick succession. Between them, React runs only its synchronous work. */
async function pressFast(...keys: string[]): Promise<void> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  for (const key of keys) {
    field().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    await Promise.resolve()
  }
  await vi.waitFor(() => expect(onChoose).toHaveBeenCalled())
  vi.unstubAllGlobals()
}

test('Enter directly after arrow keys chooses the option they reached', async () => {
  draw()
  press('ArrowDown')
  await pressFast('ArrowDown', 'ArrowDown', 'Enter')
  expect(onChoose.mock.calls).toEqual([['third']])
})
