import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MirrorText } from './mirror-text'

const stripTags = (html: string): string => html.replace(/<[^>]*>/g, '')

test('lists that were never fully imported have one sentence', () => {
  const mirrorState = { importing: null, checked_at: null, paused: null }
  expect(stripTags(renderToStaticMarkup(<MirrorText state={mirrorState} />))).toBe(
    'Lists are not complete.',
  )
})
