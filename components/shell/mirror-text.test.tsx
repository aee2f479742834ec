import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MirrorText } from './mirror-text'

const toText = (html: string): string => html.replace(/<[^>]*>/g, '')

test('lists that were never fully imported have one sentence', () => {
  const state = { importing: null, checked_at: null, paused: null }
  expect(toText(renderToStaticMarkup(<MirrorText state={state} />))).toBe('Lists are not complete.')
})
