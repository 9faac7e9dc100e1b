// The client is a module of its own, so that programs that use it don't get the service's
// dependencies.
module missiond/clients/go

go 1.26.8

require (
	github.com/oapi-codegen/runtime v1.9.0
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
)

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
)
