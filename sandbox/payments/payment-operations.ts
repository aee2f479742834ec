import { requireSwitch } from '@/sandbox/accounts/configuration'
import { unprocessable } from '@/sandbox/http/problem'
import type { FilePart, Upload } from '@/sandbox/http/read-body'
import { requireMove } from '@/sandbox/machine'
import type { Call, Operation } from '@/sandbox/operation'
import { resource } from '@/sandbox/resource'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { createCharge, createPayout, reasonBody, updateBody } from './create-payment'
import { fieldProblem, findPayment, refundedCharge, requireDateToCome } from './find-payment'
import { type Payment, stateOf } from './payment'
import { announcePayment } from './payment-events'
import { makeMove, paymentMachine } from './payment-moves'
import { paymentView } from './payment-reads'
import { paymentSchemas, unmaskedSchemas } from './payment-schema'
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

/** Throws a 422 with `amount` if a refund, resubmitted or not, would exceed its charge. */
function requireRefundWithinCharge(sandbox: Call['sandbox'], payment: Payment, amount: number): void {
  const charge = refundedCharge(sandbox, payment)
  if (charge && amount > charge.amount) throw fieldProblem('amount', `must be at most ${charge.amount}, the amount of the charge`)
}

const paymentsOf = (type: PaymentType) =>
  resource({
    name: `${type}s`,
    account: 'optional',
    output: paymentSchemas[type],
    find: (call) => findPayment(type, call),
    view: (payment: Payment, sandbox) => paymentView(sandbox, payment),
    journaled: (payment, { accounts }) => {
      const { id, account } = payment
      return { target_id: id, account_id: accounts.idOf(account), to: stateOf(payment).status }
    },
  })

function operationsOf(type: PaymentType) {
  const payments = paymentsOf(type)
  const move = (verb: 'hold' | 'release' | 'cancel') =>
    payments.change(
      { verb, method: 'PUT', summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} a ${type}`, input: reasonBody },
      (payment, { sandbox, now, input }) => {
        if (!requireMove(paymentMachine, verb, stateOf(payment).status, type)) return undefined
        makeMove(sandbox, verb, payment, now, { message: input.reason || undefined })
        return payment
      },
    )
  return [
    payments.get(`Look up a ${type}`),
    // A 403 unless the account allows it.
    payments.operation(
      {
        ...{ verb: 'unmask', output: unmaskedSchemas[type] },
        summary: `Look up a ${type} with its full token and the real address of the device`,
      },
      (payment, { sandbox }) => {
        requireSwitch(sandbox, payment.account, 'allow_data_unmask')
        const token = sandbox.paykeys.at(payment.paykey)?.secret.token
        if (token === undefined) throw new RangeError(`payment ${payment.n} has no paykey`)
        return { ...paymentView(sandbox, payment), paykey: token, device: payment.doc.device }
      },
    ),
    // Changes a payment before its money moves; the state stays.
    payments.change(
      { verb: 'update', method: 'PUT', tail: '', summary: `Change a ${type} that has not been scheduled`, input: updateBody },
      (payment, { sandbox, now, input: { description, amount, payment_date, metadata } }) => {
        requireDateToCome(payment_date, now)
        requireMove(paymentMachine, 'update', stateOf(payment).status, type)
        requireRefundWithinCharge(sandbox, payment, amount)
        Object.assign(payment, { description: description ?? '', amount, payment_date, updated_at: now })
        if (metadata) payment.doc.metadata = metadata
        sandbox.payments.save(payment)
        sandbox.payments.reword(payment)
        announcePayment(sandbox, payment, now)
        return payment
      },
    ),
    move('hold'),
    move('release'),
    move('cancel'),
    resubmitPayment(type),
    // Adds a proof to `documents`, in any state of the payment.
    payments.operation(
      {
        ...{ verb: 'authorize', method: 'POST', tail: '/authorization', summary: `Upload proof of authorization for a ${type}` },
        ...{ status: 201, takesFile: true, output: paymentSchemas[type] },
      },
      (payment, { sandbox, now, upload, effect }) => {
        const file = checkDocument(upload)
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
        effect({ ...payments.journaled(payment, sandbox), from: stateOf(payment).status, file_sha256: file.sha256 })
        return paymentView(sandbox, payment)
      },
    ),
  ]
}

/** Operations on single charges and payouts; the payments search returns lists. */
export const paymentOperations: readonly Operation[] = [
  createCharge,
  ...operationsOf('charge'),
  refundCharge,
  createPayout,
  ...operationsOf('payout'),
]
