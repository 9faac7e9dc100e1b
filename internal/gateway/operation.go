package gateway

import (
	"context"
	"time"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// Operation is an operation of a stream, which passes like a request.
type Operation struct {
	// Authenticate returns the caller, who is charged for a request; nil for the caller of the
	// request that opened the stream, which was charged.
	Authenticate func(ctx context.Context) (mission.Principal, error)
	// Read reads and checks the operation, and says how long it may take once it has its turn;
	// 0 for no limit.
	Read func(ctx context.Context) (context.Context, time.Duration, error)
	// Run runs it.
	Run func(ctx context.Context)
}

// Operate takes an operation of ctx's stream through the steps. Errors: those of the first step
// that fails.
func (g *Gateway) Operate(ctx context.Context, o Operation) error {
	return pass(&operation{Operation: o, Gateway: g, ctx: ctx})
}

// operation is an operation on its way.
type operation struct {
	Operation
	*Gateway

	ctx  context.Context // with what is known of it so far
	most time.Duration
}

func (o *operation) authenticate() error {
	if o.Authenticate == nil {
		return nil
	}
	p, err := o.Authenticate(o.ctx)
	if err == nil {
		o.ctx = httpserver.WithPrincipal(o.ctx, p)
	}
	return err
}

func (o *operation) charge(refused error) error {
	if refused != nil || o.Authenticate == nil {
		return refused
	}
	return o.Limits.TakeRequest(o.ctx, httpserver.Caller(o.ctx), 1)
}

func (o *operation) read(error) (done func(), err error) {
	o.ctx, o.most, err = o.Read(o.ctx)
	return func() {}, err
}

// admit gives back what an operation was charged that isn't admitted.
func (o *operation) admit() (leave func(), err error) {
	p := httpserver.Caller(o.ctx)
	ctx, give, err := o.Gate.Enter(o.ctx, p.TenantID)
	if err != nil {
		_ = o.Limits.TakeRequest(context.WithoutCancel(o.ctx), p, -1)
		return nil, err
	}
	ctx, release := o.Respond(o.Limits.weighing(ctx, nil), p.TenantID)
	o.ctx = ctx
	return func() { release(); give() }, nil
}

func (o *operation) limit() (end func()) {
	if o.most == 0 {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(o.ctx, max(o.most, o.LeastTime))
	o.ctx = ctx
	return cancel
}

func (o *operation) run() { o.Run(o.ctx) }

func (o *operation) giveBack() {}
