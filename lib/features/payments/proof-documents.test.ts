import { expect, test } from 'vitest'
import type { ActionView } from '@/lib/operations/answer'
import { matchUploadActions } from './proof-documents'

const createDocument = (document_id: string, uploaded_at: string, overrides: object = {}) => ({
  ...{
    document_id,
    uploaded_at,
    document_name: 'proof.pdf',
    document_type: 'payment_authorization',
    document_size: 10,
  },
  ...overrides,
})
const createUploadAction = (id: string, settled_at: string | null, overrides: object = {}) =>
  ({
    ...{ id, state: 'applied', created_at: '2026-03-31T10:00:00Z', settled_at, attempts: [] },
    ...{ file: { name: 'proof.pdf', size: 10, sha256: '' }, ...overrides },
  }) as unknown as ActionView

const matchActionIds = (documents: ReturnType<typeof createDocument>[], actions: ActionView[]) =>
  Object.fromEntries(
    [...matchUploadActions(documents, actions)].map(([id, { id: by }]) => [id, by]),
  )

test('a document belongs to the upload with its name and size that ended closest to its time', () => {
  const documents = [
    createDocument('one', '2026-03-31T10:00:10Z'),
    createDocument('two', '2026-03-31T10:01:00Z'),
  ]
  const actions = [
    createUploadAction('second', '2026-03-31T10:01:01Z'),
    createUploadAction('first', '2026-03-31T10:00:11Z'),
  ]
  expect(matchActionIds(documents, actions)).toEqual({ one: 'first', two: 'second' })
})

test.each([
  [
    'of another name',
    createDocument('d', '2026-03-31T10:00:10Z', { document_name: 'other.pdf' }),
    createUploadAction('a', '2026-03-31T10:00:11Z'),
  ],
  [
    'of another size',
    createDocument('d', '2026-03-31T10:00:10Z', { document_size: 11 }),
    createUploadAction('a', '2026-03-31T10:00:11Z'),
  ],
  [
    'that came in long before',
    createDocument('d', '2026-03-31T09:00:00Z'),
    createUploadAction('a', '2026-03-31T10:00:11Z'),
  ],
  [
    'that came in long after',
    createDocument('d', '2026-03-31T11:00:00Z'),
    createUploadAction('a', '2026-03-31T10:00:11Z'),
  ],
  [
    'of an upload that was refused',
    createDocument('d', '2026-03-31T10:00:10Z'),
    createUploadAction('a', '2026-03-31T10:00:11Z', { state: 'refused' }),
  ],
])('a document %s has no upload here', (_what, each, by) =>
  expect(matchActionIds([each], [by])).toEqual({}),
)

test('names are compared as sent, and an unknown size matches any size', () => {
  const uploadedDocument = createDocument('d', '2026-03-31T10:00:10Z', {
    document_name: 'a_b_.pdf',
    document_size: undefined,
  })
  expect(
    matchActionIds(
      [uploadedDocument],
      [
        createUploadAction('a', '2026-03-31T10:00:11Z', {
          file: { name: 'a"b\\.pdf', size: 10, sha256: '' },
        }),
      ],
    ),
  ).toEqual({
    d: 'a',
  })
})

test('one upload matches one document only', () => {
  const documents = [
    createDocument('one', '2026-03-31T10:00:10Z'),
    createDocument('two', '2026-03-31T10:00:12Z'),
  ]
  expect(matchActionIds(documents, [createUploadAction('a', '2026-03-31T10:00:13Z')])).toEqual({
    two: 'a',
  })
})
