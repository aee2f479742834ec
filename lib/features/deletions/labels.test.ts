import { expect, test } from 'vitest'
import { deletionRequest } from '@/lib/operations/deletion'
import {
  deletionReasons,
  getCodeLabel,
  joinGroundCodes,
  legalBasisLabels,
  listDeletionReasons,
  requesterLabels,
  splitGroundCodes,
} from './labels'

test('a ground is composed of two codes and can be parsed again', () => {
  const ground = joinGroundCodes('DATA_SUBJECT_REQUEST', 'GDPR_17_1_B')
  expect(splitGroundCodes(ground)).toEqual({ asker: 'DATA_SUBJECT_REQUEST', basis: 'GDPR_17_1_B' })
  expect(getCodeLabel(requesterLabels, splitGroundCodes(ground).asker)).toBe('The data subject')
})

test('an unknown code stays unchanged', () => {
  expect(getCodeLabel(legalBasisLabels, 'toString')).toBe('toString')
})

const validDeletionRequest = {
  id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  account: 'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  customer_id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e50',
  asker: 'DATA_SUBJECT_REQUEST',
  basis: 'GDPR_17_1_B',
  identity_check: 'SIGNED_IN',
  ticket: 'PRIV-1234',
  due_on: '2026-12-01',
}

test('a request with valid codes is accepted', () => {
  expect(deletionRequest.safeParse(validDeletionRequest).success).toBe(true)
})

test.each([
  ['asker', 'SOMEBODY', /requester/],
  ['basis', '', /legal ground/],
  ['identity_check', 'NOT_NEEDED', /identity was verified/],
  ['ticket', 'Jane Miller', /reference like PRIV-1234/],
  ['ticket', 'jane@example.com', /reference like PRIV-1234/],
  ['due_on', 'soon', /Must be a date/],
  ['account', '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f', /acct_/],
  ['note', 'about Jane', /Unrecognized|note/],
])('%s = %s is rejected', (field, value, message) => {
  const { error } = deletionRequest.safeParse({ ...validDeletionRequest, [field]: value })
  expect(error?.issues.map((issue) => issue.message).join('; ')).toMatch(message)
})

test('the reason of a deletion is that of its request', () => {
  expect(listDeletionReasons('RETENTION_END').map(({ code }) => code)).toEqual(['RETENTION_END'])
  expect(listDeletionReasons(undefined)).toEqual(deletionReasons)
})
