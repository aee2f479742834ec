import { expect, test } from 'vitest'
import { toContentDisposition } from './file-answer'

test.each([
  ['proof of agreement.pdf', 'inline; filename="proof of agreement.pdf"'],
  ['a"b\\c.pdf', `inline; filename="a_b_c.pdf"; filename*=UTF-8''a%22b%5Cc.pdf`],
  [
    'Übergabe (1).pdf',
    `inline; filename="_bergabe (1).pdf"; filename*=UTF-8''%C3%9Cbergabe%20%281%29.pdf`,
  ],
  [
    'a\r\nSet-Cookie: x.pdf',
    `inline; filename="a__Set-Cookie: x.pdf"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.pdf`,
  ],
])('the name %j is sent so that it cannot end its header', (name, header) => {
  expect(toContentDisposition('inline', name)).toBe(header)
})
