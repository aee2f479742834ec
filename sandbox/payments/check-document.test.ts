import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildMultipartBody } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const maxFileBytes = 10 * 1024 * 1024
const pdfSignature = Buffer.from('%PDF-1.7\n')
const makePdf = (byteCount: number) =>
  Buffer.concat([pdfSignature, Buffer.alloc(byteCount - pdfSignature.length, 'x')])

type Payout = { documents: Record<string, unknown>[]; status: string }

const uploadDocument = (id: string, file: ReturnType<typeof buildMultipartBody>) =>
  client().ask(`/v1/payouts/${id}/authorization`, {
    method: 'POST',
    body: file.body,
    headers: file.headers,
  })

describe('accepts', () => {
  test.each([
    ['proof.pdf', pdfSignature],
    ['PROOF.PDF', pdfSignature],
    ['scan.png', Buffer.from('89504e470d0a1a0a00', 'hex')],
    ['photo.jpg', Buffer.from('ffd8ffe000', 'hex')],
    ['photo.jpeg', Buffer.from('ffd8ffe100', 'hex')],
    ['letter.doc', Buffer.from('d0cf11e0a1b11ae100', 'hex')],
    ['letter (final).docx', Buffer.from('504b030414', 'hex')],
    [`${'n'.repeat(251)}.pdf`, pdfSignature],
  ])('%s', async (name, content) => {
    const payout = await client().payout()
    const response = await uploadDocument(payout.id, buildMultipartBody(name, content))
    const expectedDocument = {
      document_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      document_name: name,
      document_type: 'payment_authorization',
      document_size: content.length,
      uploaded_at: expect.stringMatching(/Z$/),
    }
    expect([response.status, response.json.response_type]).toEqual([201, 'object'])
    expect((response.json.data as Payout).documents).toEqual([expectedDocument])
    expect((response.json.data as Payout).status).toBe('on_hold')
  })

  test('exactly 10 MiB, with its hash in journal and request log', async () => {
    const payout = await client().payout()
    const pdfContent = makePdf(maxFileBytes)
    const multipartUpload = buildMultipartBody('big.pdf', pdfContent)
    const uploadResponse = await uploadDocument(payout.id, multipartUpload)
    expect([
      uploadResponse.status,
      (uploadResponse.json.data as Payout).documents[0]?.document_size,
    ]).toEqual([201, maxFileBytes])
    const hashSha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(await client().effects(payout.id)).toMatchObject([
      {
        file_sha256: hashSha256(pdfContent),
        request_body_sha256: hashSha256(multipartUpload.body),
      },
    ])
    const { data } = await client().control(`requests?path=/v1/payouts/${payout.id}/authorization`)
    expect(data).toMatchObject([
      {
        body_sha256: hashSha256(multipartUpload.body),
        body_bytes: multipartUpload.body.length,
        status: 201,
      },
    ])
  })

  test('several uploads, which are appended', async () => {
    const payout = await client().payout()
    for (const name of ['a.pdf', 'b.pdf', 'a.pdf'])
      await uploadDocument(payout.id, buildMultipartBody(name, pdfSignature))
    const { documents } = (await client().ask(`/v1/payouts/${payout.id}`)).json.data as Payout
    expect(documents.map((document) => document.document_name)).toEqual(['a.pdf', 'b.pdf', 'a.pdf'])
    expect(new Set(documents.map((document) => document.document_id)).size).toBe(3)
  })
})

describe('rejects with 422 for File', () => {
  test.each([
    ['one byte over 10 MiB', 'big.pdf', makePdf(maxFileBytes + 1), 'File', '10485760'],
    ['an empty file', 'empty.pdf', Buffer.alloc(0), 'File', 'empty'],
    ['another extension', 'notes.txt', pdfSignature, 'File', 'PDF, PNG'],
    ['no extension', 'pdf', pdfSignature, 'File', 'PDF, PNG'],
    ['content that is not what the name says', 'image.png', pdfSignature, 'File', '.png'],
    ['a name of 256 characters', `${'n'.repeat(252)}.pdf`, pdfSignature, 'File', '256 characters'],
    ['a part of another name', 'proof.pdf', pdfSignature, 'file', 'part named File'],
  ])('%s', async (_why, name, content, part, words) => {
    const payout = await client().payout()
    const refusedUploadResponse = await uploadDocument(
      payout.id,
      buildMultipartBody(name, content, part),
    )
    expect(refusedUploadResponse.json.error).toMatchObject({
      status: 422,
      type: '/validation_error',
      items: [{ reference: 'File', detail: expect.stringContaining(words) }],
    })
    expect(await client().effects(payout.id)).toEqual([])
  })

  test.each([
    ['two files', [new File([pdfSignature], 'a.pdf'), new File([pdfSignature], 'b.pdf')]],
    ['a text part besides', [new File([pdfSignature], 'a.pdf'), 'a note']],
    ['no part at all', []],
  ])('%s', async (_why, parts) => {
    const payout = await client().payout()
    const body = new FormData()
    for (const formValue of parts)
      typeof formValue === 'string'
        ? body.append('note', formValue)
        : body.append('File', formValue)
    const refusedFormResponse = await client().ask(`/v1/payouts/${payout.id}/authorization`, {
      method: 'POST',
      body,
    })
    expect(refusedFormResponse.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'File' }],
    })
  })

  test.each([
    ['JSON', 'application/json', '{}'],
    ['no boundary', 'multipart/form-data', 'x'],
    [
      'a body that stops in the middle',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="File"; filename="a.pdf"\r\n\r\n%PDF-',
    ],
  ])('a body that is %s', async (_why, type, body) => {
    const payout = await client().payout()
    const answer = await client().ask(`/v1/payouts/${payout.id}/authorization`, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    })
    expect(answer.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'File', detail: expect.stringContaining('multipart') }],
    })
    expect((await client().ask(`/v1/payouts/${payout.id}`)).status).toBe(200)
  })
})
