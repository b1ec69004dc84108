// SPDX-License-Identifier: Apache-2.0
//
// kernel.func and kernel.dispatch.

#include <cstdint>

#include "compiler/kernel/ir/kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Interfaces/FunctionImplementation.h"

namespace millrace::kernel {
namespace {

bool IsStorable(mlir::Type type) {
  const auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor) {
    return false;
  }
  const mlir::Type element = tensor.getElementType();
  return element.isF32() || element.isF16() || element.isInteger(32);
}

// "%x" is "x"; a number is not a name in C, so "%0" is "arg0".
std::string NameOfArgument(llvm::StringRef ssa_name) {
  const llvm::StringRef name = ssa_name.ltrim('%');
  if (!name.empty() && llvm::isDigit(name.front())) {
    return ("arg" + name).str();
  }
  return name.str();
}

}  // namespace

void FuncOp::build(mlir::OpBuilder& builder, mlir::OperationState& state,
                   llvm::StringRef name, mlir::TypeRange argument_types,
                   llvm::ArrayRef<llvm::StringRef> argument_names,
                   llvm::ArrayRef<int64_t> group_size,
                   llvm::StringRef computes) {
  Properties& properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.function_type = mlir::TypeAttr::get(
      builder.getFunctionType(argument_types, mlir::TypeRange()));
  properties.group_size = builder.getDenseI64ArrayAttr(group_size);
  properties.arg_names = builder.getStrArrayAttr(argument_names);
  if (!computes.empty()) {
    properties.computes = builder.getStringAttr(computes);
  }
  mlir::OpBuilder::InsertionGuard guard(builder);
  const llvm::SmallVector<mlir::Location> locations(argument_types.size(),
                                                    state.location);
  builder.createBlock(state.addRegion(), {}, argument_types, locations);
  ReturnOp::create(builder, state.location);
}

mlir::ParseResult FuncOp::parse(mlir::OpAsmParser& parser,
                                mlir::OperationState& result) {
  mlir::Builder& builder = parser.getBuilder();
  mlir::StringAttr name, computes;
  llvm::SmallVector<mlir::OpAsmParser::Argument> arguments;
  mlir::DenseI64ArrayAttr group;
  if (parser.parseSymbolName(name, "sym_name", result.attributes) ||
      parser.parseArgumentList(arguments, mlir::AsmParser::Delimiter::Paren,
                               /*allowType=*/true, /*allowAttrs=*/true) ||
      parser.parseKeyword("group")) {
    return mlir::failure();
  }
  group = llvm::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(
      mlir::DenseI64ArrayAttr::parse(parser, mlir::Type()));
  if (!group) {
    return mlir::failure();
  }
  if (mlir::succeeded(parser.parseOptionalKeyword("computes")) &&
      parser.parseAttribute(computes, "computes", result.attributes)) {
    return mlir::failure();
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes)) {
    return mlir::failure();
  }
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Attribute> names;
  for (const auto& argument : arguments) {
    types.push_back(argument.type);
    names.push_back(
        builder.getStringAttr(NameOfArgument(argument.ssaName.name)));
  }
  result.addAttribute("group_size", group);
  result.addAttribute("arg_names", builder.getArrayAttr(names));
  result.addAttribute(
      "function_type",
      mlir::TypeAttr::get(builder.getFunctionType(types, mlir::TypeRange())));
  mlir::call_interface_impl::addArgAndResultAttrs(
      builder, result, arguments, {}, builder.getStringAttr("arg_attrs"),
      builder.getStringAttr("res_attrs"));
  mlir::Region* body = result.addRegion();
  if (parser.parseRegion(*body, arguments)) {
    return mlir::failure();
  }
  FuncOp::ensureTerminator(*body, builder, result.location);
  return mlir::success();
}

void FuncOp::print(mlir::OpAsmPrinter& printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  mlir::Block& entry = getBody().front();
  const mlir::ArrayAttr attributes = getArgAttrsAttr();
  llvm::interleaveComma(
      llvm::enumerate(entry.getArguments()), printer, [&](auto argument) {
        llvm::ArrayRef<mlir::NamedAttribute> dictionary;
        if (attributes) {
          dictionary =
              llvm::cast<mlir::DictionaryAttr>(attributes[argument.index()])
                  .getValue();
        }
        printer.printRegionArgument(argument.value(), dictionary);
      });
  printer << ") group [";
  llvm::interleaveComma(getGroupSize(), printer);
  printer << ']';
  if (getComputesAttr()) {
    printer << " computes " << getComputesAttr();
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"sym_name", "function_type", "group_size",
                            "arg_names", "computes", "arg_attrs", "res_attrs"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

mlir::LogicalResult FuncOp::verify() {
  if (!getFunctionType().getResults().empty()) {
    return emitOpError("F1: a kernel has no results");
  }
  if (getGroupSize().size() != 3 ||
      llvm::any_of(getGroupSize(), [](int64_t size) { return size < 1; })) {
    return emitOpError("F2: a work-group has three sizes of at least 1");
  }
  if (getArgNames().size() != getArgumentTypes().size()) {
    return emitOpError("F3: wanted ")
           << getArgumentTypes().size() << " names of arguments; found "
           << getArgNames().size();
  }
  const auto is_object = [](mlir::Type type) {
    return llvm::isa<ObjectType>(type);
  };
  if (!llvm::all_of(getArgumentTypes(), is_object) &&
      !llvm::all_of(getArgumentTypes(), IsStorable)) {
    return emitOpError(
        "F4: arguments are tensors of f32, f16 or i32, or all are objects");
  }
  return mlir::success();
}

void FuncOp::getAsmBlockArgumentNames(mlir::Region& region,
                                      mlir::OpAsmSetValueNameFn set_name) {
  for (auto [argument, name] :
       llvm::zip(region.getArguments(), getArgNames())) {
    set_name(argument, llvm::cast<mlir::StringAttr>(name).getValue());
  }
}

llvm::StringRef FuncOp::ArgumentName(unsigned index) {
  return llvm::cast<mlir::StringAttr>(getArgNames()[index]).getValue();
}

int64_t FuncOp::GroupItems() {
  return getGroupSize()[0] * getGroupSize()[1] * getGroupSize()[2];
}

bool FuncOp::UsesParameters() {
  return getBody()
      .walk([](ParamOp) { return mlir::WalkResult::interrupt(); })
      .wasInterrupted();
}

bool FuncOp::IsPhysical() {
  return llvm::all_of(getArgumentTypes(), [](mlir::Type type) {
    return llvm::isa<ObjectType>(type);
  });
}

mlir::LogicalResult DispatchOp::verify() {
  if (getGrid().size() != 3) {
    return emitOpError("P1: a grid has three dimensions; found ")
           << getGrid().size();
  }
  if (!getInPlace()) {
    return mlir::success();
  }
  if (getInPlace()->size() != getNumResults()) {
    return emitOpError("P2: in_place wants an entry for each of the ")
           << getNumResults() << " results; found " << getInPlace()->size();
  }
  for (unsigned i = 0; i < getNumResults(); ++i) {
    const int64_t operand = InPlaceOperand(i);
    if (operand == -1) {
      continue;
    }
    if (operand < 0 || operand >= static_cast<int64_t>(getInputs().size()) ||
        getInputs()[operand].getType() != getResult(i).getType()) {
      return emitOpError("P2: result ")
             << i << " is in place of an operand of another type, or of none";
    }
  }
  return mlir::success();
}

mlir::LogicalResult DispatchOp::verifySymbolUses(
    mlir::SymbolTableCollection& symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getKernelAttr());
  if (!kernel) {
    return emitOpError("no kernel named ") << getKernelAttr();
  }
  for (auto dim : getGrid().getAsRange<DimAttr>()) {
    if (dim.getParam() &&
        !symbols.lookupNearestSymbolFrom<ParameterOp>(*this, dim.getParam())) {
      return emitOpError("P4: the grid wants a kernel.parameter; found no ")
             << dim.getParam();
    }
  }
  if (kernel.IsPhysical()) {
    return mlir::success();
  }
  const llvm::SmallVector<mlir::Value> values = ArgumentValues();
  const llvm::ArrayRef<mlir::Type> wanted = kernel.getArgumentTypes();
  if (values.size() != wanted.size()) {
    return emitOpError("P3: ") << getKernelAttr() << " wants " << wanted.size()
                               << " tensors; found " << values.size();
  }
  for (auto [i, value] : llvm::enumerate(values)) {
    if (value.getType() == wanted[i]) {
      continue;
    }
    return emitOpError("P3: ")
           << getKernelAttr() << " wants " << wanted[i] << " as tensor " << i
           << "; found " << value.getType();
  }
  return mlir::success();
}

int64_t DispatchOp::InPlaceOperand(unsigned index) {
  return getInPlace() ? (*getInPlace())[index] : -1;
}

llvm::SmallVector<mlir::Value> DispatchOp::ArgumentValues() {
  llvm::SmallVector<mlir::Value> values(getInputs());
  for (unsigned i = 0; i < getNumResults(); ++i) {
    if (InPlaceOperand(i) == -1) {
      values.push_back(getResult(i));
    }
  }
  return values;
}

// Only an update in place is seen by anyone but the users of the results.
void DispatchOp::getEffects(
    llvm::SmallVectorImpl<
        mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>&
        effects) {
  if (!getInPlace()) {
    return;
  }
  effects.emplace_back(mlir::MemoryEffects::Read::get());
  effects.emplace_back(mlir::MemoryEffects::Write::get());
}

}  // namespace millrace::kernel
