import { notFound } from 'next/navigation'

/** Renders "not found" inside the frame of the environment, so that its links keep environment and account. */
export default function UnknownPage() {
  notFound()
}
