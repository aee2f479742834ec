import { expect, test } from 'vitest'
import { type DeskPage, mayOpen, pageGroups, pageOfKey, pages } from './pages'

const all: readonly DeskPage[] = pages

test('no two pages share an id, a path, a name or a letter', () => {
  for (const field of ['id', 'path', 'name', 'key'] as const) expect(new Set(all.map((page) => page[field])).size).toBe(all.length)
})

test('every letter is one small letter, and finds its page', () => {
  for (const page of all) {
    expect(page.key).toMatch(/^[a-z]$/)
    expect(pageOfKey(page.key)).toBe(page)
  }
  expect(pageOfKey('z')).toBeUndefined()
  expect(pageOfKey('P')).toBeUndefined()
})

test('the pages stand group by group, so that the side bar needs no sorting', () => {
  const order = all.map((page) => pageGroups.indexOf(page.group))
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('a viewer may open everything but the request log', () => {
  expect(all.filter((page) => !mayOpen(page, ['viewer'])).map((page) => page.id)).toEqual(['activity'])
  expect(all.every((page) => mayOpen(page, ['viewer', 'operator']))).toBe(true)
  expect(all.filter((page) => !mayOpen(page, [])).map((page) => page.id)).toEqual(['activity'])
})
