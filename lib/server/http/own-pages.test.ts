import { expect, test } from 'vitest'
import { isOwnOrigin } from './own-pages'

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://localhost:3000', true],
  ['http://[::1]:3000', true],
  ['http://localhost:3001', false],
  ['https://localhost:3000', false],
  ['http://localhost.evil.test:3000', false],
  ['http://evil.test:3000', false],
  ['null', false],
  ['', false],
  [null, false],
])('on a loopback address the origin %s is our own: %s', (origin, ours) => {
  expect(isOwnOrigin(origin, 'http://127.0.0.1:3000')).toBe(ours)
})

test.each([
  ['https://desk.example.com', true],
  ['https://localhost', false],
  ['http://desk.example.com', false],
  ['https://desk.example.com.evil.test', false],
])('on another address the origin %s is our own: %s', (origin, ours) => {
  expect(isOwnOrigin(origin, 'https://desk.example.com')).toBe(ours)
})
