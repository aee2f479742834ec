import { HomeSkeleton } from '@/components/home/home-skeleton'

const Loading = () => <HomeSkeleton />

export default Loading
