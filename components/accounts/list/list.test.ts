import { expect, test } from 'vitest'
import { omitRepeatedLegalName } from './list'

test.each(['Sun', 'Sun LLC', 'Sun, Inc.', 'Sun L.L.C.'])(
  'the legal name "%s" of "Sun" is not repeated',
  (legalName) => {
    expect(omitRepeatedLegalName('Sun', legalName)).toBeUndefined()
  },
)

test.each(['Sunrise Foods LLC', 'Sun Foods LLC', 'Moon LLC'])(
  'the legal name "%s" of "Sun" is shown',
  (legalName) => {
    expect(omitRepeatedLegalName('Sun', legalName)).toBe(legalName)
  },
)
