import { expect, test } from 'vitest'
import { getNameOrDefault } from './service-words'

test.each(['Amara Okafor', '李小龍', '!', '😀', '42'])('%s is a valid name', (name) =>
  expect(getNameOrDefault(name, 'nobody')).toBe(name),
)

test.each([undefined, '', ' ', '\u200B\u2028\uFEFF', '\u202E'])('%j is no name', (name) =>
  expect(getNameOrDefault(name, 'nobody')).toBe('nobody'),
)
