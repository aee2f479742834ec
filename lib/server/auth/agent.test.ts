import { expect, test } from 'vitest'
import { parseUserAgent } from './agent'

const mozillaToken = 'Mozilla/5.0'
const chromeTokens = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0'

test.each([
  [
    `${mozillaToken} (Windows NT 10.0; Win64; x64) ${chromeTokens} Safari/537.36`,
    'Chrome',
    'Windows',
  ],
  [
    `${mozillaToken} (Windows NT 10.0; Win64; x64) ${chromeTokens} Safari/537.36 Edg/131.0.0.0`,
    'Edge',
    'Windows',
  ],
  [
    `${mozillaToken} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`,
    'Safari',
    'macOS',
  ],
  [
    `${mozillaToken} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iOS',
  ],
  [
    `${mozillaToken} (Linux; Android 10; K) ${chromeTokens} Mobile Safari/537.36 OPR/85.0`,
    'Opera',
    'Android',
  ],
  [
    `${mozillaToken} (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0`,
    'Firefox',
    'Linux',
  ],
  [
    `${mozillaToken} (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36`,
    'Chrome',
    'Linux',
  ],
  ['<script>alert(1)</script>', 'other', 'other'],
  ['', 'other', 'other'],
])('%s is %s on %s', (text, browser, system) => {
  expect(parseUserAgent(new Headers({ 'user-agent': text }))).toEqual({ browser, system })
})
