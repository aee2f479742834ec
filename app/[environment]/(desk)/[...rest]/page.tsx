import { notFound } from 'next/navigation'

/** An address nothing answers to, told inside the frame: the way back keeps environment and account. */
export default function UnknownPage() {
  notFound()
}
