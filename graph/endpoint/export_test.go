package endpoint

// For the tests with the resolvers.
var (
	Open = open
	Post = post
)
