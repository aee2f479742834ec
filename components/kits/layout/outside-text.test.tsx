import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ExternalText } from './outside-text'

afterEach(cleanup)

test('names a bidi override, so that the text direction stays unchanged', () => {
  render(<ExternalText title={'moc.\u202elive'}>{'Ron \u202emaS'}</ExternalText>)
  const nameElement = screen.getByText(/^Ron/)
  expect(nameElement.tagName).toBe('BDI')
  expect(nameElement.textContent).toBe('Ron invisible: reverses textmaS')
  expect(nameElement.title).toBe('moc.[U+202E]live')
  expect(screen.getByTitle('Invisible character U+202E').dir).toBe('ltr')
})

test('leaves ordinary text unchanged', () => {
  render(<ExternalText className="truncate">רון שמואלי</ExternalText>)
  const hebrewNameElement = screen.getByText('רון שמואלי')
  expect(hebrewNameElement.innerHTML).toBe('רון שמואלי')
  expect(hebrewNameElement.className).toBe('truncate')
})

test('marks text beside elements and leaves the elements unchanged', () => {
  render(
    <ExternalText>
      {'a\u2066'} <b>b</b>
    </ExternalText>,
  )
  expect(screen.getByText('b').parentElement?.textContent).toBe('ainvisible: isolates text b')
})
