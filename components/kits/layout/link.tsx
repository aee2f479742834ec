import NextLink from 'next/link'
import type { ComponentProps } from 'react'

type LinkProps = Omit<ComponentProps<typeof NextLink>, 'prefetch'>

/**
 * A link to a page of ours. It reads nothing before it is followed: a record shows up to thirty links, and what would be read ahead for each of them
 * queues before what the record itself still reads.
 */
export const Link = (props: LinkProps) => <NextLink {...props} prefetch={false} />
