import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { OutsideText } from './outside-text'

afterEach(cleanup)

test('shows a bidi override as its code point, so that the text direction stays unchanged', () => {
  render(<OutsideText title={'moc.\u202elive'}>{'Ron \u202emaS'}</OutsideText>)
  const text = screen.getByText(/^Ron/)
  expect(text.tagName).toBe('BDI')
  expect(text.textContent).toBe('Ron U+202EmaS')
  expect(text.title).toBe('moc.[U+202E]live')
  expect(screen.getByTitle('Hidden character: right-to-left override').dir).toBe('ltr')
})

test('leaves ordinary text unchanged', () => {
  render(<OutsideText className="truncate">רון שמואלי</OutsideText>)
  const text = screen.getByText('רון שמואלי')
  expect(text.innerHTML).toBe('רון שמואלי')
  expect(text.className).toBe('truncate')
})

test('marks text beside elements and leaves the elements unchanged', () => {
  render(
    <OutsideText>
      {'a\u2066'} <b>b</b>
    </OutsideText>,
  )
  expect(screen.getByText('b').parentElement?.textContent).toBe('aU+2066 b')
})
