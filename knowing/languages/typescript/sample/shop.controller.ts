import { Controller, Get, Param, Post } from '@nestjs/common';
// import @nestjs/common Controller
import { Stock } from './stock';
// import ./stock Stock

@Controller('stock')
export class ShopController {
//           ^^^^^^^^^^^^^^ definition class ShopController
  constructor(private readonly stock: Stock<never>) {}
//^^^^^^^^^^^ definition constructor ShopController.constructor
//                             ^^^^^ definition field ShopController.stock private

  @Get(':id')
  one(@Param('id') id: string) {
//^^^ definition method ShopController.one
    return this.stock.keep(id);
//                    ^^^^ reference call -> Stock.keep
  }

  @Post()
  add = (id: string) => this.one(id);
//^^^ definition method ShopController.add
//                           ^^^ reference call -> ShopController.one
}
