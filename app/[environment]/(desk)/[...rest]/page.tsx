import { notFound } from 'next/navigation'

/** Renders "not found" inside the desk's frame, so its links keep environment and account. */
export default function UnknownPage() {
  notFound()
}
