import { expect, test } from 'vitest'
import { buildMultipartBody } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type Payment = { id: string; status: string }

test.each(['charge', 'payout'])(
  'a proof for a %s is in its documents, the journal and the event',
  async (type) => {
    const { id } = await client().control<Payment>(`objects/${type}s`, { status: 'paid' })
    const { body, headers } = buildMultipartBody('proof.pdf', Buffer.from('%PDF-1.7\n'))
    const response = await client().ask(`/v1/${type}s/${id}/authorization`, {
      method: 'POST',
      body,
      headers,
    })
    const expectedDocuments = [
      { document_name: 'proof.pdf', document_type: 'payment_authorization', document_size: 9 },
    ]
    expect([response.status, response.json.data]).toMatchObject([
      201,
      { id, status: 'paid', documents: expectedDocuments },
    ])
    expect(await client().effects(id)).toMatchObject([
      { operation: `${type}s.authorize`, from: 'paid', to: 'paid' },
    ])
    const { data: events } = await client().control(`events?object_id=${id}`)
    expect(events).toMatchObject([
      { type: `${type}.event.v1`, payload: { data: { documents: expectedDocuments } } },
    ])
  },
)
