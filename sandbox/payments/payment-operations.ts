import { unprocessable } from '@/sandbox/http/problem'
import type { FilePart, Upload } from '@/sandbox/http/read-body'
import { requireMove } from '@/sandbox/machine'
import { type Call, type Operation, objectOperation } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { createCharge, createPayout, reasonBody, updateBody } from './create-payment'
import { fieldProblem, findPayment, refundedCharge, requireDateToCome } from './find-payment'
import { type Payment, stateOf } from './payment'
import { announcePayment } from './payment-events'
import { makeMove, paymentMachine } from './payment-moves'
import { paymentView, unmaskPayment } from './payment-reads'
import { paymentSchemas } from './payment-schema'
import type { PaymentType } from './payment-values'
import { refundCharge, resubmitPayment } from './refund-and-resubmit'

/** 10 MiB, in bytes. */
const documentLimit = 10_485_760

/** Maximum length of a name in file systems. */
const nameLimit = 255

const compound = 'd0cf11e0a1b11ae1'
const jpeg = 'ffd8ff'

/** First bytes of a file by extension, in hexadecimal. DOCX is a ZIP, DOC an OLE compound file. */
const signatures: Readonly<Record<string, string>> = {
  pdf: '255044462d',
  png: '89504e470d0a1a0a',
  jpg: jpeg,
  jpeg,
  doc: compound,
  docx: '504b0304',
}

const refuse = (detail: string) => unprocessable(detail, [{ reference: 'File', detail }])

/** Throws a 422 if name or content is not that of a document. */
function requireDocument({ name, bytes, head }: FilePart): void {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const signature = signatures[extension]
  if (signature === undefined) throw refuse('The file must be a PDF, PNG, JPG, JPEG, DOC or DOCX, and its name must say so.')
  if (name.length > nameLimit) throw refuse(`The file's name has ${name.length} characters; the limit is ${nameLimit}.`)
  if (bytes === 0) throw refuse('The file is empty.')
  if (bytes > documentLimit) throw refuse(`The file has ${bytes} bytes; the limit is ${documentLimit} (10 MiB).`)
  if (!head.toString('hex').startsWith(signature)) throw refuse(`The content of the file is not what .${extension} says.`)
}

/**
 * Returns the single valid file of an authorization upload. Throws a 422 with `File` and instructions for: an unreadable multipart body, no
 * or several parts, a part of another name, an unknown extension, a name over 255 characters, an empty file, a file over 10 MiB, and
 * content that does not match its extension.
 */
export function checkDocument(upload: Upload | undefined): FilePart {
  if (!upload || upload.broken !== undefined) {
    throw refuse(
      `The multipart body cannot be read: ${upload?.broken ?? 'there is none'}. Send multipart/form-data with one part named File.`,
    )
  }
  const [file, ...more] = upload.files
  if (!file || more.length > 0 || upload.fields.length > 0 || file.part !== 'File') {
    throw refuse('Send exactly one file, in a part named File with a file name.')
  }
  requireDocument(file)
  return file
}

/** `POST /v1/charges/{id}/authorization` and the payout's: adds a proof to `documents`, in any state of the payment. */
export const authorizePayment = (type: PaymentType) =>
  objectOperation({
    id: `${type}s.authorize`,
    method: 'POST',
    path: `/v1/${type}s/:id/authorization`,
    summary: `Upload proof of authorization for a ${type}`,
    account: 'optional',
    status: 201,
    takesFile: true,
    output: paymentSchemas[type],
    handle: (call) => {
      const { sandbox, now } = call
      const payment = findPayment(type, call)
      const file = checkDocument(call.upload)
      const { status } = stateOf(payment)
      payment.doc.documents.push({
        document_id: newId(now),
        document_name: file.name,
        document_type: 'payment_authorization',
        document_size: file.bytes,
        uploaded_at: iso(now),
      })
      payment.updated_at = now
      sandbox.payments.save(payment)
      announcePayment(sandbox, payment, now)
      const account_id = sandbox.accounts.idOf(payment.account)
      call.effect({ target_id: payment.id, account_id, from: status, to: status, file_sha256: file.sha256 })
      return paymentView(sandbox, payment)
    },
  })

/** Throws a 422 with `amount` if a refund, resubmitted or not, would exceed its charge. */
function requireRefundWithinCharge(sandbox: Call['sandbox'], payment: Payment, amount: number): void {
  const charge = refundedCharge(sandbox, payment)
  if (charge && amount > charge.amount) throw fieldProblem('amount', `must be at most ${charge.amount}, the amount of the charge`)
}

/** `PUT /v1/charges/{id}` and `PUT /v1/payouts/{id}`: changes a payment before its money moves; the state stays. */
export const updatePayment = (type: PaymentType) =>
  objectOperation({
    id: `${type}s.update`,
    method: 'PUT',
    path: `/v1/${type}s/:id`,
    summary: `Change a ${type} that has not been scheduled`,
    account: 'optional',
    input: updateBody,
    output: paymentSchemas[type],
    handle: (call) => {
      const { sandbox, now, input } = call
      const payment = findPayment(type, call)
      const { status } = stateOf(payment)
      requireDateToCome(input.payment_date, now)
      requireMove(paymentMachine, 'update', status, type)
      requireRefundWithinCharge(sandbox, payment, input.amount)
      const { description, amount, payment_date } = input
      Object.assign(payment, { description: description ?? '', amount, payment_date, updated_at: now })
      if (input.metadata) payment.doc.metadata = input.metadata
      sandbox.payments.save(payment)
      sandbox.payments.reword(payment)
      announcePayment(sandbox, payment, now)
      call.effect({ target_id: payment.id, account_id: sandbox.accounts.idOf(payment.account), from: status, to: status })
      return paymentView(sandbox, payment)
    },
  })

const read = (type: PaymentType) =>
  objectOperation({
    id: `${type}s.get`,
    method: 'GET',
    path: `/v1/${type}s/:id`,
    summary: `Look up a ${type}`,
    account: 'optional',
    output: paymentSchemas[type],
    handle: (call) => paymentView(call.sandbox, findPayment(type, call)),
  })

const move = (type: PaymentType, name: 'hold' | 'release' | 'cancel') =>
  objectOperation({
    id: `${type}s.${name}`,
    method: 'PUT',
    path: `/v1/${type}s/:id/${name}`,
    summary: `${name[0]?.toUpperCase()}${name.slice(1)} a ${type}`,
    account: 'optional',
    input: reasonBody,
    output: paymentSchemas[type],
    handle: (call) => {
      const { sandbox, now, input } = call
      const payment = findPayment(type, call)
      const from = stateOf(payment).status
      if (requireMove(paymentMachine, name, from, type)) {
        makeMove(sandbox, name, payment, now, { message: input.reason || undefined })
        call.effect({ target_id: payment.id, account_id: sandbox.accounts.idOf(payment.account), from, to: stateOf(payment).status })
      }
      return paymentView(sandbox, payment)
    },
  })

const about = (type: PaymentType) => [
  read(type),
  unmaskPayment(type),
  updatePayment(type),
  move(type, 'hold'),
  move(type, 'release'),
  move(type, 'cancel'),
  resubmitPayment(type),
  authorizePayment(type),
]

/** Operations on single charges and payouts; the payments search returns lists. */
export const paymentOperations: readonly Operation[] = [createCharge, ...about('charge'), refundCharge, createPayout, ...about('payout')]
