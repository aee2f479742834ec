import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { OutsideText } from './outside-text'

afterEach(cleanup)

test('an override in a name is a mark with its code point, and turns nothing round', () => {
  render(<OutsideText title={'moc.\u202elive'}>{'Ron \u202emaS'}</OutsideText>)
  const text = screen.getByText(/^Ron/)
  expect(text.tagName).toBe('BDI')
  expect(text.textContent).toBe('Ron U+202EmaS')
  expect(text.title).toBe('moc.[U+202E]live')
  expect(screen.getByTitle('Hidden character: right-to-left override').dir).toBe('ltr')
})

test('what people write is drawn as they wrote it', () => {
  render(<OutsideText className="truncate">רון שמואלי</OutsideText>)
  const text = screen.getByText('רון שמואלי')
  expect(text.innerHTML).toBe('רון שמואלי')
  expect(text.className).toBe('truncate')
})

test('texts beside elements are marked, the elements stay', () => {
  render(
    <OutsideText>
      {'a\u2066'} <b>b</b>
    </OutsideText>,
  )
  expect(screen.getByText('b').parentElement?.textContent).toBe('aU+2066 b')
})
